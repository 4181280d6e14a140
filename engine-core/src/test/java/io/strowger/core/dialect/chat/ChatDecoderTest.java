package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatOf;
import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat body")
class ChatDecoderTest {
  @Proves({"chat.messages", "chat.stream"})
  @Test
  @DisplayName("needs messages, and nothing else")
  void messagesOnly() {
    assertThat(problems(json("{}"))).containsExactly("/messages: is required");
    assertThat(problems(json("{'messages':[]}")))
        .containsExactly("/messages: must have at least 1 item, was an array of 0");
    assertThat(problems(json("{'messages':null}")))
        .containsExactly("/messages: must be an array, was null");
    assertThat(problems(chatWith("'x':1"))).isEmpty();
  }

  @Test
  @DisplayName("is refused with everything that is wrong with it at once")
  void allAtOnce() {
    assertThat(
            problems(
                json(
                    "{'temperature':2.5,'messages':[{'role':'user'},{'role':'x'}],"
                        + "'provider':{'nope':1,'order':'a'}}")))
        .containsExactly(
            "/temperature: must be a number from 0 to 2, was 2.5",
            "/messages/0/content: is required",
            "/messages/1/role: must be one of system, user, developer, assistant, tool, was \"x\"",
            "/provider/nope: is not a member of provider, was 1",
            "/provider/order: must be an array, was \"a\"");
  }

  @Test
  @DisplayName("has typed values for the members that routing needs")
  void typed() {
    InferenceRequest request =
        decode(
            chatWith(
                "'model':'a/b:free','models':['a/b:free','c/d'],'stream':true,'max_tokens':10,"
                    + "'user':'u1','provider':{'only':['x'],'order':['y'],'ignore':['z'],"
                    + "'allow_fallbacks':false}"));
    assertThat(request.models().toString()).isEqualTo("[a/b:free, c/d]");
    assertThat(request.models().get(0).variants()).containsExactly("free");
    assertThat(request.streaming()).isTrue();
    assertThat(request.maxOutputTokens()).isEqualTo(10);
    assertThat(request.user()).isEqualTo("u1");
    assertThat(request.preferences().only()).containsExactly("x");
    assertThat(request.preferences().order()).containsExactly("y");
    assertThat(request.preferences().ignore()).containsExactly("z");
    assertThat(request.preferences().allowFallbacks()).isFalse();
    assertThat(decode(chatWith("'x':1")).models()).isEmpty();
  }

  @Proves({"chat.max_completion_tokens", "chat.max_tokens", "version.3", "chat.member.max_tokens"})
  @Test
  @DisplayName("takes max_completion_tokens over the deprecated max_tokens")
  void tokenLimits() {
    assertThat(decode(chatWith("'max_tokens':10,'max_completion_tokens':20")).maxOutputTokens())
        .isEqualTo(20);
    assertThat(decode(chatWith("'max_completion_tokens':null,'max_tokens':10")).maxOutputTokens())
        .isEqualTo(10);
    assertThat(decode(chatWith("'max_tokens':null")).maxOutputTokens()).isZero();
  }

  @Proves("routing.parameters.require")
  @Test
  @DisplayName("tells which parameters it uses; a member that is null uses none")
  void parameters() {
    assertThat(decode(chatWith("'temperature':1,'top_k':1,'stop':'x','seed':null")).parameterMask())
        .isEqualTo(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.TOP_K, Parameter.STOP)));
    assertThat(decode(chatWith("'user':'x','metadata':{},'stream':true")).parameterMask()).isZero();
    assertThat(decode(chatWith("'response_format':{'type':'json_object'}")).parameterMask())
        .isEqualTo(Parameter.RESPONSE_FORMAT.bit());
    assertThat(
            decode(chatWith("'response_format':{'type':'json_schema','json_schema':{'name':'n'}}"))
                .parameterMask())
        .isEqualTo(Parameter.STRUCTURED_OUTPUTS.bit());
    assertThat(decode(chatWith("'response_format':{'type':'text'}")).parameterMask()).isZero();
    assertThat(decode(chatWith("'max_tokens':1,'max_completion_tokens':1")).parameterMask())
        .isEqualTo(Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.MAX_COMPLETION_TOKENS)));
    assertThat(
            decode(chatWith("'tools':[{'type':'function','function':{'name':'f'}}]"))
                .parameterMask())
        .isEqualTo(Parameter.TOOLS.bit());
  }

  @Test
  @DisplayName("has its plugin entries checked by the registry, disabled ones included")
  void plugins() {
    Json.Obj body = chatWith("'plugins':[{'id':'web'},{'id':'x','enabled':false,'n':1}]");
    var problems = new Problems();
    var entries = new ArrayList<PluginEntry>();
    var decoder =
        new ChatDecoder(
            (entry, at, found) -> {
              entries.add(entry);
              if (!entry.enabled()) {
                found.add(at.child("n"), "is not a member of x", Json.of(1));
              }
            });
    decoder.decode(body, problems);
    assertThat(entries).extracting(PluginEntry::id).containsExactly("web", "x");
    assertThat(problems.list())
        .singleElement()
        .hasToString("/plugins/1/n: is not a member of x, was 1");
    assertThat(problems.list().get(0).pointer())
        .isEqualTo(JsonPointer.ROOT.child("plugins").child(1).child("n"));
  }

  @Proves("chat.member.unknown")
  @Test
  @DisplayName("is kept whole, unknown members included")
  void keptWhole() {
    Json.Obj body = chatWith("'x':{'y':[1]}");
    assertThat(decode(body).members()).isSameAs(body);
    assertThat(decode(chatOf("{'role':'user','content':'hi'}")).messages().get(0).source())
        .isNotNull();
  }
}
