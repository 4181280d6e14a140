package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.genai.JsonSerializable;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.GenerationConfig;
import com.google.genai.types.Tool;
import com.google.genai.types.ToolConfig;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The vendor's client library")
class OfficialTypesTest {
  private static final GeminiTestRequest FULL_REQUEST =
      chat(
              "{'role':'system','content':'s'},{'role':'user','content':["
                  + "{'type':'text','text':'hi'},"
                  + "{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA','detail':'low'}},"
                  + "{'type':'video_url','video_url':{'url':'https://h/a.mp4'}}]},"
                  + "{'role':'assistant','content':'a','tool_calls':[{'id':'c1','type':'function',"
                  + "'function':{'name':'f','arguments':''}}]},"
                  + "{'role':'tool','tool_call_id':'c1','content':'ok'}",
              "'temperature':0.5,'top_p':0.25,'top_k':40,'seed':7,'presence_penalty':0.5",
              "'frequency_penalty':0.25,'logprobs':true,'top_logprobs':5,'max_tokens':300",
              "'stop':['x'],'modalities':['text'],'reasoning':{'effort':'high'}",
              "'tool_choice':{'type':'function','function':{'name':'f'}}",
              "'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':"
                  + "{'type':['object','null'],'properties':{'a':{'enum':['x']}},'required':['a']}}}",
              "'tools':[{'type':'function','function':{'name':'f','description':'d','parameters':"
                  + "{'type':'object','title':'T','minProperties':1,'maxProperties':9,'properties':{"
                  + "'s':{'type':'string','minLength':1,'maxLength':2,'pattern':'p',"
                  + "'format':'date-time','default':'q'},"
                  + "'n':{'type':'integer','minimum':1,'maximum':2,'format':'int32'},"
                  + "'l':{'type':'array','minItems':1,'maxItems':2,'items':{'type':'boolean'}},"
                  + "'u':{'anyOf':[{'type':'string'},{'type':'number'}]}}}}}]")
          .reasoning(false, false, "low", "high");

  private static <T extends JsonSerializable> void assertPreserved(Json given, Class<T> type) {
    T read = JsonSerializable.fromJsonString(given.toString(), type);
    assertThat(normalized(GeminiTestRequest.parse(read.toJson()))).isEqualTo(normalized(given));
  }

  /** Returns a form to compare, with numbers by value, since the library rewrites them. */
  private static Object normalized(Json value) {
    return switch (value) {
      case Json.Obj object -> {
        var members = new TreeMap<String, Object>();
        for (int i = 0; i < object.size(); i++) {
          members.put(object.name(i), normalized(object.value(i)));
        }
        yield members;
      }
      case Json.Arr list -> {
        List<Object> items = new ArrayList<>();
        list.forEach(item -> items.add(normalized(item)));
        yield items;
      }
      case Json.Num number -> new BigDecimal(number.spelling()).stripTrailingZeros();
      case Json.Str text -> text.text();
      case Json.Bool bool -> bool.value();
      case Json.Null none -> "null";
    };
  }

  private static Json member(String name) {
    return Objects.requireNonNull(FULL_REQUEST.written().get(name), name);
  }

  @Test
  @DisplayName("reads and rewrites a request with every member without loss")
  void body() {
    for (Json content : (Json.Arr) member("contents")) {
      assertPreserved(content, Content.class);
    }
    assertPreserved(member("systemInstruction"), Content.class);
    for (Json tool : (Json.Arr) member("tools")) {
      assertPreserved(tool, Tool.class);
    }
    assertPreserved(member("toolConfig"), ToolConfig.class);
    assertPreserved(member("generationConfig"), GenerationConfig.class);
  }

  @Tag("full")
  @Test
  @DisplayName("writes answers that the adapter reads correctly")
  void answer() {
    GenerateContentResponse written =
        GenerateContentResponse.fromJson(
            GeminiTestRequest.jsonOf(
                    "{'candidates':[{'content':{'role':'model','parts':[{'text':'hm',"
                        + "'thought':true},{'text':'so'},{'functionCall':{'name':'f',"
                        + "'args':{'a':1}},'thoughtSignature':'YQ=='}]},'finishReason':'STOP'}],"
                        + "'usageMetadata':{'promptTokenCount':9,'cachedContentTokenCount':4,"
                        + "'candidatesTokenCount':3,'thoughtsTokenCount':2},'responseId':'r'}")
                .toString());
    var read =
        Objects.requireNonNull(
            GeminiAnswerReader.of(
                GeminiTestRequest.parseObject(written.toJson()),
                new GeminiPartReader(new SafeNames(), "0")));
    assertThat(read.parts().stream().map(GeminiFrames::describe))
        .containsExactly(
            "TEXT hm google-gemini-v1 null",
            "text so",
            "ENCRYPTED YQ== google-gemini-v1 call_r_0",
            "call call_r_0 f {\"a\":1}");
    var usage = Objects.requireNonNull(read.usage());
    assertThat(usage.promptTokens()).isEqualTo(9);
    assertThat(usage.cacheRead()).isEqualTo(4);
    assertThat(usage.completionTokens()).isEqualTo(5);
  }

  @Test
  @DisplayName("has no finish reason that the adapter does not map")
  void finishReasons() {
    for (FinishReason.Known known : FinishReason.Known.values()) {
      StopReason reason = new GeminiFinish(known.toString(), null, false).reason(false);
      boolean isNormalEnd =
          known == FinishReason.Known.STOP || known == FinishReason.Known.FINISH_REASON_UNSPECIFIED;
      assertThat(reason == StopReason.END).as(known.toString()).isEqualTo(isNormalEnd);
    }
  }
}
