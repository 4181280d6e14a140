package io.strowger.core.preset;

import static io.strowger.core.preset.TestPresets.json;
import static io.strowger.core.preset.TestPresets.merge;
import static io.strowger.core.preset.TestPresets.preset;
import static io.strowger.core.preset.TestPresets.presetWithPrompt;
import static io.strowger.core.preset.TestPresets.reportedPlace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A preset merged with a request:")
class PresetMergeTest {
  private static Json.Obj chat(String config, String request) {
    return merge(preset(config), request, Dialect.CHAT).document();
  }

  @Nested
  @DisplayName("Members")
  class Members {
    @Proves("resources.preset.PS-1")
    @Test
    @DisplayName("PS-1: those of the request win as a whole, the others come from the preset")
    void ps1() {
      assertThat(
              chat(
                  "{'model':'a','temperature':0.2,'provider':{'sort':'price','zdr':true}}",
                  "{'temperature':0.9,'provider':{'order':['x']}}"))
          .isEqualTo(json("{'model':'a','temperature':0.9,'provider':{'order':['x']}}"));
    }

    @Proves("resources.preset.PS-5")
    @Test
    @DisplayName("PS-5: those of the preset's designated version are used")
    void ps5() {
      Preset second = new Preset("s", json("{'model':'b'}"), null);
      Presets presets = (workspace, slug) -> slug.equals("s") ? second : null;
      Preset found = Objects.requireNonNull(presets.findActive("w", "s"));
      assertThat(merge(found, "{'messages':[]}", Dialect.CHAT).document())
          .isEqualTo(json("{'messages':[],'model':'b'}"));
      assertThat(Presets.NONE.findActive("w", "s")).isNull();
    }

    @Proves({"resources.preset.merge", "open.67"})
    @Test
    @DisplayName("the model of the request wins")
    void model() {
      assertThat(chat("{'model':'a'}", "{'model':'b'}")).isEqualTo(json("{'model':'b'}"));
    }

    @Test
    @DisplayName("an explicit null in the request wins, too")
    void nulls() {
      assertThat(chat("{'temperature':0.2,'tools':[1]}", "{'temperature':null,'tools':null}"))
          .isEqualTo(json("{'temperature':null,'tools':null}"));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{'max_completion_tokens':9}|{'max_tokens':5}",
          "{'max_tokens':9}|{'max_completion_tokens':5}",
          "{'reasoning_effort':'low'}|{'reasoning':{'effort':'high'}}",
          "{'reasoning':{'effort':'low'}}|{'reasoning_effort':null}",
          "{'reasoning':{}}|{'include_reasoning':true}",
        })
    @DisplayName("those of the request win in any spelling")
    void spellings(String config, String request) {
      assertThat(chat(config, request)).isEqualTo(json(request));
    }

    @Test
    @DisplayName("the cache members of a preset do not become members of the request")
    void cache() {
      assertThat(chat("{'cache_enabled':true,'cache_ttl_seconds':5}", "{'model':'m'}"))
          .isEqualTo(json("{'model':'m'}"));
    }

    @Test
    @DisplayName("keep their bytes when they are not changed")
    void bytes() {
      MergedRequest mergedRequest =
          merge(preset("{'model':'a'}"), "{'stop' : [ 'x' ],'top_p':1.0 }", Dialect.CHAT);
      assertThat(new String(mergedRequest.document().toBytes(), StandardCharsets.UTF_8))
          .isEqualTo("{\"stop\":[ \"x\" ],\"top_p\":1.0,\"model\":\"a\"}");
    }
  }

  @Nested
  @DisplayName("Tools")
  class Tools {
    private static final String F1 = "{'type':'function','function':{'name':'f1'}}";
    private static final String F2 = "{'type':'function','function':{'name':'f2'}}";

    private static void assertMerged(String ofPreset, String ofRequest, String expected) {
      assertThat(chat("{'tools':[" + ofPreset + "]}", "{'tools':[" + ofRequest + "]}"))
          .isEqualTo(json("{'tools':[" + expected + "]}"));
    }

    @Proves("resources.preset.PS-2")
    @Test
    @DisplayName(
        "PS-2: a tool of both has the request's form at the preset's position, and the others come"
            + " last")
    void ps2() {
      assertMerged(
          F1 + ",{'type':'web_search'}",
          "{'type':'web_search','max_results':3}," + F2,
          F1 + ",{'type':'web_search','max_results':3}," + F2);
    }

    @Proves("resources.preset.PS-3")
    @Test
    @DisplayName("PS-3: subagents and advisors are distinguished by name")
    void ps3() {
      String b = "{'type':'router:subagent','parameters':{'name':'b'}}";
      assertMerged(
          "{'type':'router:subagent','parameters':{'name':'a'}}," + b,
          "{'type':'router:subagent','parameters':{'name':'a','model':'z'}}",
          "{'type':'router:subagent','parameters':{'name':'a','model':'z'}}," + b);
      assertMerged(
          "{'type':'router:advisor'}",
          "{'type':'router:advisor','parameters':{'name':'a'}},{'type':'router:advisor','x':1}",
          "{'type':'router:advisor','x':1},{'type':'router:advisor','parameters':{'name':'a'}}");
    }

    @Test
    @DisplayName("PS-3: wherever in the tool the name is given")
    void ps3Flat() {
      assertMerged(
          "{'type':'router:subagent','name':'a'},{'type':'router:subagent','name':'b'}",
          "{'type':'router:subagent','parameters':{'name':'a'},'model':'z'}",
          "{'type':'router:subagent','parameters':{'name':'a'},'model':'z'},"
              + "{'type':'router:subagent','name':'b'}");
    }

    @Proves("resources.preset.tools")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{'type':'web_search_preview'}|{'type':'router:web_search','x':1}",
          "{'type':'function','name':'f'}|{'type':'function','name':'f','x':1}",
          "{'name':'f'}|{'type':'custom','name':'f','x':1}",
          "{'type':'router:datetime'}|{'type':'router:datetime','parameters':{'timezone':'t'}}",
          "{'type':'bash_20250124','name':'bash'}|{'type':'bash_20250124','name':'bash','x':1}",
        })
    @DisplayName(
        "are the same when the function name or type is the same, in the syntax of any dialect")
    void same(String ofPreset, String ofRequest) {
      assertMerged(ofPreset, ofRequest, ofRequest);
    }

    @Proves("resources.preset.tools")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{'type':'function','function':{'name':'f'}}|{'type':'function','function':{'name':'g'}}",
          "{'type':'router:web_search'}|{'type':'router:web_fetch'}",
          "{'type':'function','function':{}}|{'type':'function','function':{}}",
          "5|5",
          "{'type':5,'name':'f'}|{'name':'f'}",
        })
    @DisplayName("are different otherwise")
    void different(String ofPreset, String ofRequest) {
      assertMerged(ofPreset, ofRequest, ofPreset + "," + ofRequest);
    }

    @Test
    @DisplayName(
        "come from the preset when the request has none, and are kept when the preset has none")
    void oneSided() {
      assertMerged(F1, "", F1);
      assertMerged("", F1, F1);
      assertThat(chat("{'tools':[" + F1 + "]}", "{}")).isEqualTo(json("{'tools':[" + F1 + "]}"));
      assertThat(chat("{'tools':[" + F1 + "]}", "{'tools':5}")).isEqualTo(json("{'tools':5}"));
    }

    @Test
    @DisplayName("with the same name in one request are both kept, for the decoder to judge")
    void twice() {
      assertMerged(F1, F1 + "," + F1, F1 + "," + F1);
    }

    @Test
    @DisplayName(
        "report their problems at the position in the caller's list, or with the preset as origin")
    void places() {
      MergedRequest mergedRequest =
          merge(
              preset("{'tools':[" + F1 + ",{'type':'web_search'}]}"),
              "{'tools':[{'type':'web_search'}," + F2 + "]}",
              Dialect.CHAT);
      assertThat(reportedPlace(mergedRequest, "/tools/0/function/name")).isEqualTo("preset writer");
      assertThat(reportedPlace(mergedRequest, "/tools/1/type")).isEqualTo("/tools/0/type");
      assertThat(reportedPlace(mergedRequest, "/tools/2/function/a~1b"))
          .isEqualTo("/tools/1/function/a~1b");
      assertThat(reportedPlace(mergedRequest, "/tools")).isEqualTo("/tools");
      assertThat(reportedPlace(mergedRequest, "/tools/7")).isEqualTo("/tools/7");
      assertThat(reportedPlace(mergedRequest, "/tools/x")).isEqualTo("/tools/x");
    }
  }

  @Nested
  @DisplayName("The system prompt")
  class SystemPrompt {
    @Proves("open.65")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "CHAT|{'messages':[]}|{'messages':[{'role':'system','content':'p'}]}",
          "CHAT|{'messages':[{'role':'system','content':'s'},5]}|{'messages':[{'role':'system',"
              + "'content':'p'},{'role':'system','content':'s'},5]}",
          "CHAT|{'messages':null}|{'messages':null}",
          "CHAT|{}|{}",
          "MESSAGES|{}|{'system':'p'}",
          "MESSAGES|{'system':'s'}|{'system':'p\\n\\ns'}",
          "MESSAGES|{'system':''}|{'system':'p'}",
          "MESSAGES|{'system':[5]}|{'system':[{'type':'text','text':'p'},5]}",
          "MESSAGES|{'system':null}|{'system':null}",
          "MESSAGES|{'system':5}|{'system':5}",
          "RESPONSES|{}|{'instructions':'p'}",
          "RESPONSES|{'instructions':'s'}|{'instructions':'p\\n\\ns'}",
          "RESPONSES|{'instructions':null}|{'instructions':'p'}",
          "RESPONSES|{'instructions':[]}|{'instructions':[]}",
        })
    @DisplayName("comes before the caller's own, and hides no error in it")
    void first(Dialect dialect, String request, String expected) {
      assertThat(merge(presetWithPrompt("p"), request, dialect).document())
          .isEqualTo(json(expected));
    }

    @Test
    @DisplayName("is not added when it is empty")
    void empty() {
      assertThat(merge(presetWithPrompt(""), "{'messages':[]}", Dialect.CHAT).document())
          .isEqualTo(json("{'messages':[]}"));
    }

    @Test
    @DisplayName(
        "moves the caller's messages, but their problems are reported at the original positions")
    void places() {
      MergedRequest chat =
          merge(presetWithPrompt("p"), "{'messages':[5,6],'model':7}", Dialect.CHAT);
      assertThat(reportedPlace(chat, "/messages/0/content")).isEqualTo("preset writer");
      assertThat(reportedPlace(chat, "/messages/1/content")).isEqualTo("/messages/0/content");
      assertThat(reportedPlace(chat, "/messages/2")).isEqualTo("/messages/1");
      assertThat(reportedPlace(chat, "/messages")).isEqualTo("/messages");
      assertThat(reportedPlace(chat, "/model")).isEqualTo("/model");
      MergedRequest messages = merge(presetWithPrompt("p"), "{'system':[5]}", Dialect.MESSAGES);
      assertThat(reportedPlace(messages, "/system/1")).isEqualTo("/system/0");
      assertThat(reportedPlace(messages, "/system/0")).isEqualTo("preset writer");
    }

    @Test
    @DisplayName("is supported only in the dialects of callers")
    void dialects() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> merge(presetWithPrompt("p"), "{}", Dialect.GEMINI));
    }
  }

  @Nested
  @DisplayName("Problems")
  class Problems {
    @Test
    @DisplayName(
        "in members from the preset name the preset, in the message and in the problems of the"
            + " error")
    void origin() {
      MergedRequest mergedRequest = merge(preset("{'temperature':3}"), "{'top_p':2}", Dialect.CHAT);
      GatewayError error =
          GatewayError.of(
                  ErrorCode.INVALID_REQUEST,
                  List.of(
                      new Problem(JsonPointer.ROOT.child("temperature"), "must be 0 to 2", "3"),
                      new Problem(JsonPointer.ROOT.child("top_p"), "must be 0 to 1", "2"),
                      new Problem(JsonPointer.ROOT, "and 3 more", "")))
              .withMetadata("k", Json.TRUE);
      GatewayError placed = mergedRequest.inCallerTerms(error);
      assertThat(placed.message())
          .isEqualTo(
              "Invalid request parameters: /temperature: must be 0 to 2, was 3 (from the preset"
                  + " writer); /top_p: must be 0 to 1, was 2; and 3 more");
      assertThat(placed.metadata()).isEqualTo(json("{'k':true}"));
      assertThat(placed.problems()).isEqualTo(mergedRequest.inCallerTerms(error.problems()));
    }

    @Test
    @DisplayName("that are absent leave the error unchanged")
    void none() {
      GatewayError error = GatewayError.of(ErrorCode.NOT_FOUND);
      assertThat(merge(preset("{}"), "{}", Dialect.CHAT).inCallerTerms(error)).isSameAs(error);
    }
  }

  @Nested
  @DisplayName("Caching")
  class Caching {
    private static boolean allows(String config, @Nullable Boolean header) {
      return preset(config).cache().allows(header);
    }

    @Proves("resources.preset.PS-4")
    @Test
    @DisplayName("PS-4: is off when the preset forbids it, whatever the header says")
    void ps4() {
      assertThat(allows("{'cache_enabled':false}", true)).isFalse();
    }

    @Proves("resources.record.cache.precedence")
    @Test
    @DisplayName("is otherwise decided by the header, then by the preset, and is off by default")
    void precedence() {
      assertThat(allows("{'cache_enabled':true}", false)).isFalse();
      assertThat(allows("{'cache_enabled':true}", null)).isTrue();
      assertThat(allows("{}", true)).isTrue();
      assertThat(allows("{}", null)).isFalse();
    }

    @Proves("resources.record.cache.ttl")
    @Test
    @DisplayName("has the lifetime of the header, else of the preset, else five minutes")
    void ttl() {
      assertThat(preset("{'cache_ttl_seconds':60}").cache().effectiveTtlSeconds(5)).isEqualTo(5);
      assertThat(preset("{'cache_ttl_seconds':60}").cache().effectiveTtlSeconds(null))
          .isEqualTo(60);
      assertThat(preset("{}").cache().effectiveTtlSeconds(null)).isEqualTo(300);
      assertThat(preset("{'cache_ttl_seconds':99999}").cache().effectiveTtlSeconds(null))
          .isEqualTo(86_400);
    }
  }
}
