package io.strowger.providers.chat;

import static io.strowger.providers.chat.Streams.FINISH;
import static io.strowger.providers.chat.Streams.chunk;
import static io.strowger.providers.chat.Streams.kinds;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a streamed answer thought")
class ChatThoughtsTest {
  private final Streams streams = new Streams();

  private List<Event> read(String delta) throws IOException {
    return streams.read(chunk("'delta':{" + delta + "}", ""), FINISH);
  }

  /** What the deltas of the events' frames have under one name. */
  private static List<Json> written(List<Event> events, String member) {
    var written = new ArrayList<Json>();
    for (Event event : events) {
      Json.Obj frame = Objects.requireNonNull(Streams.frame(event));
      Json.Obj choice = (Json.Obj) Objects.requireNonNull(frame.list("choices")).get(0);
      Json value = Objects.requireNonNull(choice.object("delta")).get(member);
      if (value instanceof Json.Arr items) {
        written.addAll(items);
      } else if (value != null) {
        written.add(value);
      }
    }
    return written;
  }

  @Test
  @DisplayName("is given once when the details repeat the plain text, and kept once in a frame")
  void repeated() throws IOException {
    String item = "{'type':'reasoning.text','text':'hm','index':0}";
    List<Event> events = read("'reasoning':'hm','reasoning_details':[" + item + "]");
    assertThat(kinds(events)).containsExactly("ReasoningDelta", "OtherContent", "Finished");
    assertThat(written(events, "reasoning")).containsExactly(Json.of("hm"));
    assertThat(written(events, "reasoning_details")).containsExactly(Bodies.json(item));
  }

  @Test
  @DisplayName("is read from the details when there is no plain text")
  void detailsOnly() throws IOException {
    String text = "{'type':'reasoning.text','text':'hm','index':0,'format':'x'}";
    String summary = "{'type':'reasoning.summary','summary':'s','index':1}";
    List<Event> events = read("'reasoning_details':[" + text + "," + summary + "]");
    assertThat(kinds(events)).containsExactly("ReasoningDelta", "ReasoningDelta", "Finished");
    assertThat(((Event.ReasoningDelta) events.get(0)).summary()).isFalse();
    assertThat(((Event.ReasoningDelta) events.get(1)).summary()).isTrue();
    assertThat(((Event.ReasoningDelta) events.get(1)).text()).isEqualTo(Json.of("s"));
    assertThat(written(events, "reasoning_details"))
        .containsExactly(Bodies.json(text), Bodies.json(summary));
    assertThat(written(events, "reasoning")).containsExactly(Json.of("hm"), Json.of("s"));
  }

  @Test
  @DisplayName("Case 5: is proven by a signature, also when it says nothing")
  void signatures() throws IOException {
    String item = "{'type':'reasoning.text','signature':'sig','format':'anthropic-claude-v1'}";
    List<Event> events = read("'reasoning_details':[" + item + "]");
    assertThat(kinds(events)).containsExactly("ReasoningSignature", "Finished");
    var reasoningSignature = (Event.ReasoningSignature) events.get(0);
    assertThat(reasoningSignature.signature()).isEqualTo(Json.of("sig"));
    assertThat(reasoningSignature.format()).isEqualTo("anthropic-claude-v1");
    assertThat(written(events, "reasoning_details")).containsExactly(Bodies.json(item));
  }

  @Test
  @DisplayName("comes before its proof when one item has both")
  void both() throws IOException {
    List<Event> events =
        read("'reasoning_details':[{'type':'reasoning.text','text':'hm','signature':'sig'}]");
    assertThat(kinds(events)).containsExactly("ReasoningDelta", "ReasoningSignature", "Finished");
    assertThat(written(events, "reasoning_details"))
        .containsExactly(
            Bodies.json("{'type':'reasoning.text','text':'hm'}"),
            Bodies.json("{'type':'reasoning.text','signature':'sig'}"));
  }

  @Test
  @DisplayName("may be readable for its vendor only, and is kept when nobody knows what it is")
  void encrypted() throws IOException {
    String secret =
        "{'type':'reasoning.encrypted','data':'d','id':'r','format':'openai-responses-v1'}";
    String run = "{'type':'reasoning.server_tool_call','tool_name':'t'}";
    List<Event> events = read("'reasoning_details':[" + secret + "," + run + ",7]");
    assertThat(kinds(events))
        .containsExactly("EncryptedReasoning", "OtherContent", "OtherContent", "Finished");
    var encryptedReasoning = (Event.EncryptedReasoning) events.get(0);
    assertThat(encryptedReasoning.data()).isEqualTo(Json.of("d"));
    assertThat(encryptedReasoning.format()).isEqualTo("openai-responses-v1");
    assertThat(encryptedReasoning.id()).isEqualTo("r");
    assertThat(written(events, "reasoning_details"))
        .containsExactly(Bodies.json(secret), Bodies.json(run), Json.of(7));
  }

  @Test
  @DisplayName("may be a refusal, with the frame it came in")
  void refusal() throws IOException {
    List<Event> events = read("'refusal':'no'");
    assertThat(((Event.RefusalDelta) events.get(0)).text()).isEqualTo(Json.of("no"));
    assertThat(written(events, "refusal")).containsExactly(Json.of("no"));
    assertThat(kinds(read("'refusal':{'x':1}"))).containsExactly("OtherContent", "Finished");
  }

  @Test
  @DisplayName("should be done is named as the caller names it, in the frame as the upstream does")
  void toolNames() {
    var names = new SafeNames();
    String safe = names.toSafe("a.b");
    var events = new ChatEventReader(Credential.NONE, names);
    String frame =
        chunk(
            "'delta':{'tool_calls':[{'index':0,'id':'c','function':{'name':'" + safe + "'}}]}", "");
    events.readFrame(Bodies.json(frame), new byte[0], "");
    var call = (Event.ToolCallDelta) Objects.requireNonNull(events.queue().poll());
    assertThat(call.name()).isEqualTo("a.b");
    assertThat(String.valueOf(call.frame())).contains(safe);
  }
}
