package io.strowger.providers.chat;

import static io.strowger.providers.chat.ChatStreams.FINISH;
import static io.strowger.providers.chat.ChatStreams.chunk;
import static io.strowger.providers.chat.ChatStreams.kinds;
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

@DisplayName("The reasoning of a streamed answer")
class ChatThoughtsTest {
  private final ChatStreams streams = new ChatStreams();

  private List<Event> read(String delta) throws IOException {
    return streams.read(chunk("'delta':{" + delta + "}", ""), FINISH);
  }

  /** Returns the values of one member in the deltas of the events' frames. */
  private static List<Json> written(List<Event> events, String member) {
    var written = new ArrayList<Json>();
    for (Event event : events) {
      Json.Obj frame = Objects.requireNonNull(ChatStreams.frame(event));
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
  @DisplayName("is one event when the details repeat the plain text, and each form is in one frame")
  void repeated() throws IOException {
    String item = "{'type':'reasoning.text','text':'hm','index':0}";
    List<Event> events = read("'reasoning':'hm','reasoning_details':[" + item + "]");
    assertThat(kinds(events)).containsExactly("ReasoningDelta", "OtherContent", "Finished");
    assertThat(written(events, "reasoning")).containsExactly(Json.of("hm"));
    assertThat(written(events, "reasoning_details")).containsExactly(ChatFixtures.json(item));
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
        .containsExactly(ChatFixtures.json(text), ChatFixtures.json(summary));
    assertThat(written(events, "reasoning")).containsExactly(Json.of("hm"), Json.of("s"));
  }

  @Test
  @DisplayName("Case 5: has its signature, also without a text")
  void signatures() throws IOException {
    String item = "{'type':'reasoning.text','signature':'sig','format':'anthropic-claude-v1'}";
    List<Event> events = read("'reasoning_details':[" + item + "]");
    assertThat(kinds(events)).containsExactly("ReasoningSignature", "Finished");
    var reasoningSignature = (Event.ReasoningSignature) events.get(0);
    assertThat(reasoningSignature.signature()).isEqualTo(Json.of("sig"));
    assertThat(reasoningSignature.format()).isEqualTo("anthropic-claude-v1");
    assertThat(written(events, "reasoning_details")).containsExactly(ChatFixtures.json(item));
  }

  @Test
  @DisplayName("comes before its signature when one item has both")
  void both() throws IOException {
    List<Event> events =
        read("'reasoning_details':[{'type':'reasoning.text','text':'hm','signature':'sig'}]");
    assertThat(kinds(events)).containsExactly("ReasoningDelta", "ReasoningSignature", "Finished");
    assertThat(written(events, "reasoning_details"))
        .containsExactly(
            ChatFixtures.json("{'type':'reasoning.text','text':'hm'}"),
            ChatFixtures.json("{'type':'reasoning.text','signature':'sig'}"));
  }

  @Test
  @DisplayName("may be encrypted, and items of unknown kinds are kept")
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
        .containsExactly(ChatFixtures.json(secret), ChatFixtures.json(run), Json.of(7));
  }

  @Test
  @DisplayName("is separate from a refusal, which has its own frame")
  void refusal() throws IOException {
    List<Event> events = read("'refusal':'no'");
    assertThat(((Event.RefusalDelta) events.get(0)).text()).isEqualTo(Json.of("no"));
    assertThat(written(events, "refusal")).containsExactly(Json.of("no"));
    assertThat(kinds(read("'refusal':{'x':1}"))).containsExactly("OtherContent", "Finished");
  }

  @Test
  @DisplayName("is separate from tool calls, which have the caller's names of tools")
  void toolNames() {
    var names = new SafeNames();
    String safe = names.toSafe("a.b");
    var events = new ChatEventReader(Credential.NONE, names);
    String frame =
        chunk(
            "'delta':{'tool_calls':[{'index':0,'id':'c','function':{'name':'" + safe + "'}}]}", "");
    events.readFrame(ChatFixtures.json(frame), new byte[0], "");
    var call = (Event.ToolCallDelta) Objects.requireNonNull(events.queue().poll());
    assertThat(call.name()).isEqualTo("a.b");
    assertThat(String.valueOf(call.frame())).contains(safe);
  }
}
