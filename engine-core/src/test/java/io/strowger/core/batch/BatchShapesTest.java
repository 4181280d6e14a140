package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The body of a request in a batch")
class BatchShapesTest {
  private static final String URL_REQUIRED = ": must be a URL in a batch, not the data itself";

  private static List<String> problems(BatchEndpoint endpoint, String body) {
    var problems = new Problems();
    BatchShapes.check(endpoint, 0, (Json.Obj) TestJson.of(minimalBody(endpoint)), problems);
    BatchShapes.check(endpoint, 1, (Json.Obj) TestJson.of(body), problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static String minimalBody(BatchEndpoint endpoint) {
    return switch (endpoint) {
      case CHAT, MESSAGES -> "{'messages':[{'role':'user','content':'hi'}]}";
      case RESPONSES, EMBEDDINGS -> "{'input':'hi'}";
    };
  }

  private static List<String> problemsOfPart(BatchEndpoint endpoint, String part) {
    String list = endpoint == BatchEndpoint.RESPONSES ? "input" : "messages";
    return problems(
        endpoint,
        "{'" + list + "':[{'role':'user','content':[{'type':'text','text':'a'}," + part + "]}]}");
  }

  @Nested
  @DisplayName("has the required members of its endpoint:")
  class Required {
    @ParameterizedTest
    @EnumSource(BatchEndpoint.class)
    @DisplayName("is accepted with only these for")
    void least(BatchEndpoint endpoint) {
      assertThat(problems(endpoint, BatchShapesTest.minimalBody(endpoint))).isEmpty();
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
    @DisplayName("is refused if one is missing or wrong for")
    void wrong(BatchEndpoint endpoint, String body, String problem) {
      assertThat(problems(endpoint, body)).containsExactly("/requests/1/body/" + problem);
    }
  }

  @Nested
  @DisplayName("is refused if it asks for what a batch does not support:")
  class Impossible {
    @Proves("resources.batch.body")
    @ParameterizedTest
    @EnumSource(BatchEndpoint.class)
    @DisplayName("a stream for")
    void stream(BatchEndpoint endpoint) {
      String body = BatchShapesTest.minimalBody(endpoint);
      assertThat(problems(endpoint, body.substring(0, body.length() - 1) + ",'stream':false}"))
          .isEmpty();
      assertThat(problems(endpoint, body.substring(0, body.length() - 1) + ",'stream':true}"))
          .containsExactly(
              "/requests/1/body/stream: must be false or absent: a batch is not streamed,"
                  + " was true");
    }

    @Proves("resources.batch.body")
    @ParameterizedTest
    @EnumSource(names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("a search run by the gateway for")
    void searches(BatchEndpoint endpoint) {
      String minimal = BatchShapesTest.minimalBody(endpoint);
      String body = minimal.substring(0, minimal.length() - 1) + ",'%s':[{'type':'x'},7,%s]}";
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
    @DisplayName("but not for a native search of the provider or other tools")
    void otherSearches(String member, String items) {
      String body = "{'messages':[{'role':'user','content':'hi'}],'" + member + "':" + items + "}";
      assertThat(problems(BatchEndpoint.CHAT, body)).isEmpty();
    }

    @Proves("unary.embeddings.batch")
    @Test
    @DisplayName("input_type or provider for embeddings, not even null")
    void embeddings() {
      assertThat(
              problems(
                  BatchEndpoint.EMBEDDINGS, "{'input':[1,2],'input_type':'q','provider':null}"))
          .containsExactly(
              "/requests/1/body/input_type: must be absent: batches do not support it, was \"q\"",
              "/requests/1/body/provider: must be absent: batches do not support it, was null");
    }

    @Test
    @DisplayName("but not for provider preferences of the other endpoints")
    void provider() {
      assertThat(
              problems(
                  BatchEndpoint.CHAT, "{'messages':[{'role':'user','content':'a'}],'provider':{}}"))
          .isEmpty();
    }
  }

  @Nested
  @DisplayName("has no audio or video, and images and files only by URL:")
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
    @DisplayName("is refused with audio or video")
    void moving(BatchEndpoint endpoint, String list, String part, String problem) {
      assertThat(problemsOfPart(endpoint, part))
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
    @DisplayName("is accepted with a URL and refused with a data: URL")
    void addresses(BatchEndpoint endpoint, String part, String list, String place) {
      assertThat(problemsOfPart(endpoint, part.formatted("https://a/b.png"))).isEmpty();
      for (String scheme : List.of("data:", "DATA:")) {
        assertThat(problemsOfPart(endpoint, part.formatted(scheme + "image/png;base64,QQ==")))
            .containsExactly(
                "/requests/1/body/"
                    + list
                    + "/0/content/1/"
                    + place
                    + URL_REQUIRED
                    + ", was \""
                    + scheme
                    + "image/png;base64,QQ==\"");
      }
    }

    @Test
    @DisplayName("is refused with a base64 source of the messages dialect")
    void sources() {
      assertThat(
              problemsOfPart(
                  BatchEndpoint.MESSAGES,
                  "{'type':'document','source':{'type':'base64','data':'QQ==',"
                      + "'media_type':'application/pdf'}}"))
          .containsExactly(
              "/requests/1/body/messages/0/content/1/source/type"
                  + URL_REQUIRED
                  + ", was \"base64\"");
      assertThat(
              problemsOfPart(
                  BatchEndpoint.MESSAGES,
                  "{'type':'document','source':{'type':'text','data':'plain'}}"))
          .isEmpty();
    }

    @Test
    @DisplayName("is refused with file_data of the responses dialect")
    void files() {
      assertThat(
              problemsOfPart(BatchEndpoint.RESPONSES, "{'type':'input_file','file_data':'QQ=='}"))
          .containsExactly(
              "/requests/1/body/input/0/content/1/file_data" + URL_REQUIRED + ", was \"QQ==\"");
      assertThat(
              problemsOfPart(
                  BatchEndpoint.RESPONSES, "{'type':'input_file','file_url':'https://u'}"))
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
    @DisplayName("is refused with a data: URL in any place")
    void elsewhere(BatchEndpoint endpoint, String body, String place) {
      assertThat(problems(endpoint, body))
          .containsExactly("/requests/1/body/" + place + URL_REQUIRED + ", was \"data:a\"");
    }

    @Test
    @DisplayName("is refused with the audio data of an earlier answer")
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
    @DisplayName("is accepted with members that look like media in other places")
    void others(String part) {
      assertThat(problemsOfPart(BatchEndpoint.MESSAGES, part)).isEmpty();
    }
  }
}
