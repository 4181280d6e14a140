package io.strowger.core.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A picture in a conversation")
class MediaAddressTest {
  private static final PluginRegistry NO_PLUGINS = PluginRegistry.of(Plugins.none());

  private static final List<String> BODIES =
      List.of(
          "{'model':'m','messages':[{'role':'user','content':[{'type':'text','text':'image/jpg'},"
              + "{'type':'image_url','image_url':{'url':'%s','detail':'low'}}]}]}",
          "{'model':'m','messages':[{'role':'user','content':[{'type':'text','text':'image/jpg'},"
              + "{'type':'image','source':{'type':'url','url':'%s'}}]}]}",
          "{'model':'m','messages':[{'role':'user','content':[{'type':'tool_result',"
              + "'tool_use_id':'t','content':[{'type':'image','source':{'type':'url',"
              + "'url':'%s'}}]}]}]}",
          "{'model':'m','input':[{'role':'user','content':[{'type':'input_text',"
              + "'text':'image/jpg'},{'type':'input_image','image_url':'%s'}]}]}",
          "{'model':'m','input':[{'type':'function_call_output','call_id':'c','output':["
              + "{'type':'input_image','image_url':'%s'}]}]}");

  private static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  private static InferenceRequest decode(String text, Problems problems) {
    Json.Obj body = json(text);
    if (body.has("input")) {
      return new ResponsesDecoder(NO_PLUGINS).decode(body, problems);
    }
    return text.contains("'image_url'")
        ? new ChatDecoder(NO_PLUGINS).decode(body, problems)
        : new MessagesDecoder(NO_PLUGINS).decode(body, problems);
  }

  private static String textOf(InferenceRequest request) {
    var out = new StringBuilder();
    for (Message message : request.messages()) {
      out.append(message.source()).append(message.parts());
    }
    return out.append(request.members()).toString();
  }

  @Proves("chat.message.part.image_url")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://a.example/b.png",
        "http://a",
        "gs://bucket/b.png",
        "data:image/png;base64,QQ==",
        "data:,x",
        "DATA:image/png,%41"
      })
  @DisplayName("is at a URL of any scheme, or in a data URL")
  void good(String url) {
    for (String body : BODIES) {
      var problems = new Problems();
      assertThat(textOf(decode(body.formatted(url), problems))).contains(url);
      assertThat(problems.list()).as(body).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          iVBORw0KGgo=            | must be a URL
          picture.png             | must be a URL
          https:                  | must be a URL
          ~~                      | must be a URL
          data:image/png;base64,  | must have data
          data:,                  | must have data
          data:image/png;base64   | must have a comma
          """)
  @DisplayName("is refused with the pointer of its URL if that is no URL or has no data")
  void wrong(String url, String why) {
    for (String body : BODIES) {
      var problems = new Problems();
      decode(body.formatted(url), problems);
      assertThat(problems.list())
          .as(body)
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.pointer().toString()).endsWith("url");
                assertThat(problem.allowed()).startsWith(why);
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data:image/jpg;base64,QQ==", "data:image/JPG,x"})
  @DisplayName("labelled image/jpg is relabelled image/jpeg everywhere in the decoded request")
  void renamed(String url) {
    for (String body : BODIES) {
      var problems = new Problems();
      String written = textOf(decode(body.formatted(url), problems));
      assertThat(problems.list()).as(body).isEmpty();
      assertThat(written)
          .as(body)
          .contains("data:image/jpeg")
          .doesNotContainIgnoringCase(":image/jpg");
      assertThat(written.contains("text\":\"image/jpg")).isEqualTo(body.contains("'image/jpg'"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'model':'m','messages':[{'role':'user','content':'data:image/jpg;base64,QQ=='},"
            + "{'role':'user','content':[{'type':'image_url','image_url':{'url':"
            + "'data:image/jpg;base64,QQ=='}}]}]}",
        "{'model':'m','input':[{'type':'function_call_output','call_id':'c','output':"
            + "'data:image/jpg;base64,QQ=='},{'role':'user','content':[{'type':'input_image',"
            + "'image_url':'data:image/jpg;base64,QQ=='}]}]}"
      })
  @DisplayName("labelled image/jpg leaves a text of the same form as it is")
  void textOfSameForm(String body) {
    var problems = new Problems();
    String written = textOf(decode(body, problems));
    assertThat(problems.list()).isEmpty();
    assertThat(written)
        .containsPattern("\"(content|output)\":\"data:image/jpg;")
        .contains("url\":\"data:image/jpeg;")
        .doesNotContain("url\":\"data:image/jpg;");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'image','source':{'type':'base64','media_type':'image/jpg','data':'QQ=='}}",
        "{'type':'tool_result','tool_use_id':'t','content':[{'type':'image','source':"
            + "{'type':'base64','media_type':'image/jpg','data':'QQ=='}}]}",
        "{'type':'document','source':{'type':'content','content':[{'type':'image','source':"
            + "{'type':'base64','media_type':'image/jpg','data':'QQ=='}}]}}"
      })
  @DisplayName(
      "whose media type is image/jpg gets image/jpeg also in a block of the messages format")
  void mediaType(String block) {
    var problems = new Problems();
    String written =
        textOf(
            decode(
                "{'model':'m','messages':[{'role':'user','content':[" + block + "]}]}", problems));
    assertThat(problems.list()).isEmpty();
    assertThat(written).contains("image/jpeg").doesNotContain("image/jpg");
  }
}
