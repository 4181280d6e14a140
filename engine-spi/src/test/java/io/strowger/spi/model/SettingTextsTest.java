package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A text editor, of the settings of a request,")
class SettingTextsTest {
  private static InferenceRequest request(String tier, String word, String truncation) {
    Json.Obj effort = Json.object().put("effort", word).build();
    Json.Obj verbosity = Json.object().put("verbosity", word).build();
    Json.Obj members =
        Json.object()
            .put("service_tier", tier)
            .put("verbosity", word)
            .put("reasoning_effort", word)
            .put("truncation", truncation)
            .put("reasoning", effort)
            .put("text", verbosity)
            .put("prompt_cache_key", "key")
            .build();
    return InferenceRequest.builder(Dialect.CHAT, members).build();
  }

  @Test
  @DisplayName("is given free text, but no words of the protocol")
  void words() {
    var given = new ArrayList<String>();
    InferenceRequest edited =
        request("flex", "low", "disabled")
            .editTexts(
                (text, kind) -> {
                  given.add(kind + " " + text);
                  return "x";
                });
    assertThat(given).containsExactly("SETTING key");
    assertThat(edited.members())
        .isEqualTo(
            request("flex", "low", "disabled").members().with("prompt_cache_key", Json.of("x")));
  }

  @Test
  @DisplayName("is given no words of the protocol deep inside settings, nor lists of such words")
  void wordsWithin() {
    Json.Obj reasoning =
        Json.object().put("summary", "auto").put("mode", "pro").put("context", "all_turns").build();
    Json.Obj edit =
        Json.object()
            .put("type", "clear_tool_uses_20250919")
            .put("exclude_tools", Json.array(List.of(Json.of("search"))))
            .put("instructions", "Keep names.")
            .build();
    Json.Obj members =
        Json.object()
            .put("reasoning", reasoning)
            .put("modalities", Json.array(List.of(Json.of("text"), Json.of("audio"))))
            .put("include", Json.array(List.of(Json.of("file_search_call.results"))))
            .put("cache_control", Json.object().put("ttl", "5m").build())
            .put("speed", "fast")
            .put(
                "context_management", Json.object().put("edits", Json.array(List.of(edit))).build())
            .build();
    assertThat(textsGivenFor(members)).containsExactly("SETTING Keep names.");
  }

  @Test
  @DisplayName("is not given what only the gateway reads")
  void ofGateway() {
    Json.Obj trace = Json.object().put("trace_name", "words").build();
    Json.Obj members =
        Json.object()
            .put("trace", trace)
            .put("debug", trace)
            .put("route", "fallback")
            .put("preset", "words")
            .put("safety_identifier", "words")
            .put("stop_server_tools_when", Json.array(List.of(trace)))
            .put("fallbacks", Json.array(List.of(trace)))
            .build();
    assertThat(textsGivenFor(members)).isEmpty();
  }

  private static List<String> textsGivenFor(Json.Obj members) {
    var given = new ArrayList<String>();
    InferenceRequest.builder(Dialect.CHAT, members)
        .build()
        .editTexts(
            (text, kind) -> {
              given.add(kind + " " + text);
              return "x";
            });
    return given;
  }

  @Test
  @DisplayName("is given any other text in a place where the protocol expects one of its words")
  void others() {
    InferenceRequest edited =
        request("SECRET", "a SECRET", "SECRET")
            .editTexts((text, kind) -> text.replace("SECRET", "x"));
    assertThat(edited.members()).isEqualTo(request("x", "a x", "x").members());
  }
}
