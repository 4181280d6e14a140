package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.json;
import static io.strowger.core.resource.ResourceWords.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("POST /presets/{slug}/...")
class PresetDecoderTest {
  private static final PresetDecoder CHAT =
      new PresetDecoder(Dialect.CHAT, new ChatDecoder((entries, at, found) -> {})::decode);

  /**
   * Returns a decoder that accepts any body, since the rules of its dialect are not tested here.
   */
  private static PresetDecoder lenient(Dialect dialect) {
    return new PresetDecoder(
        dialect, (body, problems) -> InferenceRequest.builder(dialect, body).build());
  }

  private static NewPreset preset(PresetDecoder decoder, String body) {
    return decode((given, problems) -> decoder.decode("s", given, problems), json(body));
  }

  private static List<String> problemsOf(String body) {
    return problems((given, problems) -> CHAT.decode("s", given, problems), json(body));
  }

  private static @Nullable String prompt(String messages) {
    return preset(CHAT, "{'messages':[" + messages + ",{'role':'user','content':'u'}]}")
        .systemPrompt();
  }

  @Nested
  @DisplayName("Config")
  class Config {
    @Proves({
      "preset-version.config",
      "preset-version.ignored-members",
      "resources.preset.config",
      "open.64"
    })
    @Test
    @DisplayName(
        "keeps generation and routing members unchanged, and drops the prompt and the identity of"
            + " the caller")
    void chat() {
      NewPreset preset =
          preset(
              CHAT,
              "{'model':'a/b','messages':[{'role':'user','content':'u'}],'temperature':0.20,"
                  + "'stream':true,'stream_options':{},'debug':{},'prompt':'p','input':'i',"
                  + "'user':'u','session_id':'s','trace':{},'metadata':{},'preset':'x',"
                  + "'cache_control':{'type':'ephemeral'},'provider':{'order':['x']},'seed':null,"
                  + "'colour':'red','cache_enabled':true,'cache_ttl_seconds':60}");
      assertThat(preset)
          .isEqualTo(
              new NewPreset(
                  "s",
                  json(
                      "{'model':'a/b','temperature':0.20,'provider':{'order':['x']},'seed':null,"
                          + "'cache_enabled':true,'cache_ttl_seconds':60}"),
                  null));
    }

    @Test
    @DisplayName("keeps the members of the body's dialect")
    void dialects() {
      assertThat(
              preset(
                      lenient(Dialect.MESSAGES),
                      "{'model':'m','max_tokens':5,'thinking':{},'messages':[],'system':'s',"
                          + "'metadata':{},'stream':true,'cache_control':{},'user':'u'}")
                  .config())
          .isEqualTo(json("{'model':'m','max_tokens':5,'thinking':{}}"));
      assertThat(
              preset(
                      lenient(Dialect.RESPONSES),
                      "{'model':'m','max_output_tokens':5,'text':{},'input':'i',"
                          + "'instructions':'s','store':false,'stream':true,'background':false}")
                  .config())
          .isEqualTo(json("{'model':'m','max_output_tokens':5,'text':{}}"));
    }

    @Test
    @DisplayName("does not refer to the bytes of the body")
    void detached() {
      Json.Obj body = json("{'messages':[{'role':'user','content':'u'}],'stop':[ 'x' , 'y' ]}");
      NewPreset preset = decode((given, found) -> CHAT.decode("s", given, found), body);
      assertThat(preset.config()).hasToString("{\"stop\":[\"x\",\"y\"]}");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "'cache_enabled':null|/cache_enabled: must be true or false, was null",
          "'cache_ttl_seconds':0|/cache_ttl_seconds: must be a whole number from 1 to 86400, was 0",
          "'cache_ttl_seconds':86401|/cache_ttl_seconds: must be a whole number from 1 to 86400,"
              + " was 86401",
          "'cache_ttl_seconds':1.5|/cache_ttl_seconds: must be a whole number from 1 to 86400, was"
              + " 1.5",
          "'temperature':3|/temperature: must be a number from 0 to 2, was 3",
        })
    @DisplayName("is checked by every rule of a request, and by those for caching answers")
    void wrong(String member, String problem) {
      assertThat(problemsOf("{'messages':[{'role':'user','content':'u'}]," + member + "}"))
          .containsExactly(problem);
    }

    @Proves("resources.preset.config")
    @Test
    @DisplayName("allows a cache TTL of one second to one day")
    void bounds() {
      for (int seconds : new int[] {1, 86_400}) {
        String body = "{'messages':[{'role':'user','content':'u'}],'cache_ttl_seconds':%d}";
        assertThat(problemsOf(body.formatted(seconds))).isEmpty();
      }
    }
  }

  @Nested
  @DisplayName("System prompt")
  class SystemPrompt {
    @Proves({"preset-version.system_prompt", "resources.preset.system", "open.70"})
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{'role':'system','content':'a'}|a",
          "{'role':'developer','content':'a'}|a",
          "{'role':'system','content':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}"
              + "|a / b",
          "{'role':'system','content':'a'},{'role':'user','content':'x'},"
              + "{'role':'developer','content':'b'}|a / b",
          "{'role':'system','content':'a'},{'role':'system','content':''}|a",
        })
    @DisplayName("is the text of system and developer messages, joined by a blank line")
    void chat(String messages, String expected) {
      assertThat(prompt(messages)).isEqualTo(expected.replace(" / ", "\n\n"));
    }

    @Test
    @DisplayName("is absent if there are none, or only empty ones")
    void none() {
      assertThat(prompt("{'role':'user','content':'x'}")).isNull();
      assertThat(prompt("{'role':'system','content':''}")).isNull();
      assertThat(prompt("{'role':'system','content':[]}")).isNull();
    }

    @Proves("resources.preset.system")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "MESSAGES|{'system':'a'}|a",
          "MESSAGES|{'system':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}|a / b",
          "MESSAGES|{'messages':[{'role':'system','content':'x'}]}|",
          "RESPONSES|{'instructions':'a'}|a",
          "RESPONSES|{'instructions':null}|",
          "RESPONSES|{}|",
        })
    @DisplayName("is the member system in messages, and instructions in responses")
    void others(Dialect dialect, String body, @Nullable String expected) {
      assertThat(preset(lenient(dialect), body).systemPrompt())
          .isEqualTo(expected == null ? null : expected.replace(" / ", "\n\n"));
    }
  }

  @Test
  @DisplayName("requires messages, as a request does")
  void messages() {
    assertThat(problemsOf("{}")).containsExactly("/messages: is required");
  }

  @Test
  @DisplayName("reports all problems at once")
  void all() {
    var problems = new Problems();
    assertThat(CHAT.decode("s", json("{'messages':[],'top_p':2,'cache_enabled':1}"), problems))
        .isNull();
    assertThat(problems.count()).isEqualTo(3);
  }
}
