package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Drawn;
import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A body of a batch")
class BatchShapesTest {
  private static final String ADDRESS = ": must be a URL in a batch, not the data itself";

  private static List<String> problems(BatchEndpoint endpoint, String body) {
    var item = new BatchCreate.Item("a", (Json.Obj) Drawn.json(body));
    var good = new BatchCreate.Item("b", (Json.Obj) Drawn.json(least(endpoint)));
    var problems = new Problems();
    BatchShapes.check(
        new BatchCreate(
            endpoint, ModelRef.parse("m"), List.of(good, item), ProviderPreferences.NONE),
        problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static String least(BatchEndpoint endpoint) {
    return switch (endpoint) {
      case CHAT, MESSAGES -> "{'messages':[{'role':'user','content':'hi'}]}";
      case RESPONSES, EMBEDDINGS -> "{'input':'hi'}";
    };
  }

  private static List<String> part(BatchEndpoint endpoint, String part) {
    String list = endpoint == BatchEndpoint.RESPONSES ? "input" : "messages";
    return problems(
        endpoint,
        "{'" + list + "':[{'role':'user','content':[{'type':'text','text':'a'}," + part + "]}]}");
  }

  @Nested
  @DisplayName("has what its endpoint cannot do without:")
  class Required {
    @ParameterizedTest
    @EnumSource(BatchEndpoint.class)
    @DisplayName("nothing more is needed for")
    void least(BatchEndpoint endpoint) {
      assertThat(problems(endpoint, BatchShapesTest.least(endpoint))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "CHAT | {} | messages: is required",
          "CHAT | {'messages':null} | messages: must be an array, was null",
          "CHAT | {'messages':[]} | messages: must have at least 1 item, was an array of 0",
          "MESSAGES | {'input':'a'} | messages: is required",
          "MESSAGES | {'messages':'a'} | messages: must be an array, was \"a\"",
          "MESSAGES | {'messages':[]} | messages: must have at least 1 item, was an array of 0",
          "RESPONSES | {'messages':[]} | input: is required",
          "RESPONSES | {'input':1} | input: must be a string or an array of items, was 1",
          "EMBEDDINGS | {} | input: is required",
          "EMBEDDINGS | {'input':[]} | input: must have at least 1 item, was an array of 0",
          "EMBEDDINGS | {'input':{}} | input: must be a string, or an array of strings, of numbers"
              + " or of arrays of numbers, was an object",
          "EMBEDDINGS | {'input':[{'content':[]}]} | input/0: must be a string, a number or an"
              + " array of numbers, in a batch, was an object",
          "EMBEDDINGS | {'input':['a',1]} | input/1: must be a string, as the first item is, was 1",
        })
    @DisplayName("missing or wrong for")
    void wrong(BatchEndpoint endpoint, String body, String problem) {
      assertThat(problems(endpoint, body)).containsExactly("/requests/1/body/" + problem);
    }
  }

  @Nested
  @DisplayName("asks for nothing a batch does not do:")
  class Impossible {
    @Proves("resources.batch.body")
    @ParameterizedTest
    @EnumSource(BatchEndpoint.class)
    @DisplayName("no stream for")
    void stream(BatchEndpoint endpoint) {
      String least = BatchShapesTest.least(endpoint);
      assertThat(problems(endpoint, least.substring(0, least.length() - 1) + ",'stream':false}"))
          .isEmpty();
      assertThat(problems(endpoint, least.substring(0, least.length() - 1) + ",'stream':true}"))
          .containsExactly(
              "/requests/1/body/stream: must be false or absent: a batch has nobody to stream to,"
                  + " was true");
    }

    @Proves("resources.batch.body")
    @ParameterizedTest
    @EnumSource(names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("no search that the gateway would run for")
    void searches(BatchEndpoint endpoint) {
      String least = BatchShapesTest.least(endpoint);
      String body = least.substring(0, least.length() - 1) + ",'%s':[{'type':'x'},7,%s]}";
      for (String engine : List.of("exa", "firecrawl", "parallel", "perplexity")) {
        String plugin = "{'id':'web','engine':'" + engine + "'}";
        assertThat(problems(endpoint, body.formatted("plugins", plugin)))
            .containsExactly(
                "/requests/1/body/plugins/2/engine: must be native or absent: the gateway runs no"
                    + " search in a batch, was \""
                    + engine
                    + "\"");
        String tool = "{'type':'router:web_search','parameters':{'engine':'" + engine + "'}}";
        assertThat(problems(endpoint, body.formatted("tools", tool)))
            .singleElement()
            .asString()
            .startsWith("/requests/1/body/tools/2/parameters/engine: must be native or absent");
      }
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "plugins|[{'id':'web'}]",
          "plugins|[{'id':'web','engine':'native'}]",
          "plugins|[{'id':'web','engine':5}]",
          "plugins|[{'id':'web','engine':'exa','enabled':false}]",
          "plugins|[{'id':'web-fetch','engine':'exa'}]",
          "plugins|{'id':'web','engine':'exa'}",
          "tools|[{'type':'router:web_search'}]",
          "tools|[{'type':'router:web_search','parameters':{'engine':'auto'}}]",
          "tools|[{'type':'router:web_search','parameters':'exa'}]",
          "tools|[{'type':'function','parameters':{'engine':'exa'}}]",
        })
    @DisplayName("a search of the provider's own, or no search at all, is none of those")
    void otherSearches(String member, String items) {
      String body = "{'messages':[{'role':'user','content':'hi'}],'" + member + "':" + items + "}";
      assertThat(problems(BatchEndpoint.CHAT, body)).isEmpty();
    }

    @Proves("unary.embeddings.batch")
    @Test
    @DisplayName("no input_type and no provider for embeddings, not even null")
    void embeddings() {
      assertThat(
              problems(
                  BatchEndpoint.EMBEDDINGS, "{'input':[1,2],'input_type':'q','provider':null}"))
          .containsExactly(
              "/requests/1/body/input_type: must be absent: batches do not support it, was \"q\"",
              "/requests/1/body/provider: must be absent: batches do not support it, was null");
    }

    @Test
    @DisplayName("the other endpoints may prefer providers")
    void provider() {
      assertThat(
              problems(
                  BatchEndpoint.CHAT, "{'messages':[{'role':'user','content':'a'}],'provider':{}}"))
          .isEmpty();
    }
  }

  @Nested
  @DisplayName("has no audio, no video, and pictures and files only by address:")
  class MediaInIt {
    @Proves("resources.batch.body")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "CHAT | messages | {'type':'input_audio','input_audio':{'data':'A','format':'wav'}}"
              + " | type: must not be audio, in a batch, was \"input_audio\"",
          "CHAT | messages | {'type':'video_url','video_url':{'url':'https://u'}}"
              + " | type: must not be video, in a batch, was \"video_url\"",
          "CHAT | messages | {'type':'input_video','video_url':{'url':'https://u'}}"
              + " | type: must not be video, in a batch, was \"input_video\"",
          "RESPONSES | input | {'type':'input_audio','input_audio':{}}"
              + " | type: must not be audio, in a batch, was \"input_audio\"",
          "RESPONSES | input | {'type':'input_video','video_url':'https://u'}"
              + " | type: must not be video, in a batch, was \"input_video\"",
        })
    @DisplayName("neither sound nor moving pictures")
    void moving(BatchEndpoint endpoint, String list, String part, String problem) {
      assertThat(part(endpoint, part))
          .containsExactly("/requests/1/body/" + list + "/0/content/1/" + problem);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "CHAT | {'type':'image_url','image_url':{'url':'%s'}} | messages | image_url/url",
          "CHAT | {'type':'file','file':{'file_data':'%s'}} | messages | file/file_data",
          "RESPONSES | {'type':'input_image','image_url':'%s'} | input | image_url",
          "MESSAGES | {'type':'image','source':{'type':'url','url':'%s'}} | messages | source/url",
          "MESSAGES | {'type':'tool_result','content':[{'type':'image','source':{'type':'url',"
              + "'url':'%s'}}]} | messages | content/0/source/url",
          "MESSAGES | {'type':'document','source':{'type':'content','content':[{'type':'image',"
              + "'source':{'type':'url','url':'%s'}}]}} | messages | source/content/0/source/url",
        })
    @DisplayName("an address, and not a data: URL")
    void addresses(BatchEndpoint endpoint, String part, String list, String place) {
      assertThat(part(endpoint, part.formatted("https://a/b.png"))).isEmpty();
      for (String scheme : List.of("data:", "DATA:")) {
        assertThat(part(endpoint, part.formatted(scheme + "image/png;base64,QQ==")))
            .containsExactly(
                "/requests/1/body/"
                    + list
                    + "/0/content/1/"
                    + place
                    + ADDRESS
                    + ", was \""
                    + scheme
                    + "image/png;base64,QQ==\"");
      }
    }

    @Test
    @DisplayName("no base64 source of the messages dialect")
    void sources() {
      assertThat(
              part(
                  BatchEndpoint.MESSAGES,
                  "{'type':'document','source':{'type':'base64','data':'QQ==',"
                      + "'media_type':'application/pdf'}}"))
          .containsExactly(
              "/requests/1/body/messages/0/content/1/source/type" + ADDRESS + ", was \"base64\"");
      assertThat(
              part(
                  BatchEndpoint.MESSAGES,
                  "{'type':'document','source':{'type':'text','data':'plain'}}"))
          .isEmpty();
    }

    @Test
    @DisplayName("no file_data of the responses dialect")
    void files() {
      assertThat(part(BatchEndpoint.RESPONSES, "{'type':'input_file','file_data':'QQ=='}"))
          .containsExactly(
              "/requests/1/body/input/0/content/1/file_data" + ADDRESS + ", was \"QQ==\"");
      assertThat(part(BatchEndpoint.RESPONSES, "{'type':'input_file','file_url':'https://u'}"))
          .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "CHAT | {'messages':[{'role':'assistant','images':[{'image_url':{'url':'data:a'}}]}]}"
              + " | messages/0/images/0/image_url/url",
          "RESPONSES | {'input':[{'type':'function_call_output','call_id':'c','output':["
              + "{'type':'input_image','image_url':'data:a'}]}]} | input/0/output/0/image_url",
          "RESPONSES | {'input':[{'type':'computer_call_output','output':{'type':"
              + "'computer_screenshot','image_url':'data:a'}}]} | input/0/output/image_url",
          "MESSAGES | {'messages':[{'role':'user'}],'system':[{'type':'image','source':{'url':"
              + "'data:a'}}]} | system/0/source/url",
        })
    @DisplayName("wherever a body can have it")
    void elsewhere(BatchEndpoint endpoint, String body, String place) {
      assertThat(problems(endpoint, body))
          .containsExactly("/requests/1/body/" + place + ADDRESS + ", was \"data:a\"");
    }

    @Test
    @DisplayName("nor the sound of an earlier answer")
    void history() {
      assertThat(
              problems(
                  BatchEndpoint.CHAT,
                  "{'messages':[{'role':'assistant','audio':{'id':'i','data':'QQ=='}}]}"))
          .containsExactly(
              "/requests/1/body/messages/0/audio/data: must not be audio, in a batch, was"
                  + " \"QQ==\"");
      assertThat(
              problems(
                  BatchEndpoint.CHAT, "{'messages':[{'role':'assistant','audio':{'id':'i'}}]}"))
          .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{'type':'tool_use','id':'i','name':'n','input':{'type':'input_audio','source':"
              + "{'type':'base64'}}}",
          "{'type':'text','text':'data:image/png;base64,QQ=='}",
          "{'type':7}",
          "7",
          "null",
          "{'source':'data:'}",
          "{'image_url':null}",
        })
    @DisplayName("and nothing is said of what is no media, or not where media belongs")
    void others(String part) {
      assertThat(part(BatchEndpoint.MESSAGES, part)).isEmpty();
    }
  }
}
