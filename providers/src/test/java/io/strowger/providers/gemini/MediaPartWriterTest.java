package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static io.strowger.providers.gemini.GeminiTestRequest.messages;
import static io.strowger.providers.gemini.GeminiTestRequest.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Images, audio, videos and documents in the gemini dialect")
class MediaPartWriterTest {
  @Proves({"translation.request.image", "translation.request.audio", "translation.request.video"})
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'}}   | {'inlineData':{'mimeType':'image/png','data':'AAAA'}}
          {'type':'image_url','image_url':{'url':'https://h/a.webp?x=1.gif#f'}}   | {'fileData':{'mimeType':'image/webp','fileUri':'https://h/a.webp?x=1.gif#f'}}
          {'type':'image_url','image_url':{'url':'https://h/picture'}}            | {'fileData':{'mimeType':'image/jpeg','fileUri':'https://h/picture'}}
          {'type':'image_url','image_url':{'url':'gs://b/o.heic'}}                | {'fileData':{'mimeType':'image/heic','fileUri':'gs://b/o.heic'}}
          {'type':'input_audio','input_audio':{'data':'AAAA','format':'mp3'}}     | {'inlineData':{'mimeType':'audio/mpeg','data':'AAAA'}}
          {'type':'input_audio','input_audio':{'data':'AAAA','format':'wav'}}     | {'inlineData':{'mimeType':'audio/wav','data':'AAAA'}}
          {'type':'input_audio','input_audio':{'data':'AAAA','format':'pcm16'}}   | {'inlineData':{'mimeType':'audio/pcm','data':'AAAA'}}
          {'type':'video_url','video_url':{'url':'https://h/film.webm'}}          | {'fileData':{'mimeType':'video/webm','fileUri':'https://h/film.webm'}}
          {'type':'video_url','video_url':{'url':'https://h/watch?v=1'}}          | {'fileData':{'mimeType':'video/mp4','fileUri':'https://h/watch?v=1'}}
          {'type':'video_url','video_url':{'url':'data:video/mp4;base64,AAAA'}}   | {'inlineData':{'mimeType':'video/mp4','data':'AAAA'}}
          {'type':'file','file':{'file_data':'data:application/pdf;base64,AAAA'}} | {'inlineData':{'mimeType':'application/pdf','data':'AAAA'}}
          {'type':'file','file':{'file_id':'files/abc'}}                          | {'fileData':{'fileUri':'files/abc'}}
          """)
  @DisplayName("are inline if the request contains them, and by URI otherwise")
  void table(String part, String expected) {
    GeminiTestRequest body = chat("{'role':'user','content':[" + part + "]}");
    assertThat(body.contents()).isEqualTo("user [" + expected + "]");
    assertThat(body.losses()).isEmpty();
  }

  @Test
  @DisplayName("are the same from the other dialects")
  void otherDialects() {
    assertThat(
            messages(
                    "{'role':'user','content':[{'type':'image','source':{'type':'base64',"
                        + "'media_type':'image/gif','data':'AAAA'}},{'type':'document','source':"
                        + "{'type':'text','media_type':'text/plain','data':'words'}}]}")
                .contents())
        .isEqualTo("user [{'inlineData':{'mimeType':'image/gif','data':'AAAA'}},{'text':'words'}]");
    assertThat(
            responses(
                    "{'type':'message','role':'user','content':[{'type':'input_image',"
                        + "'file_id':'files/x'},{'type':'input_file',"
                        + "'file_url':'https://h/d.pdf'}]}")
                .contents())
        .isEqualTo(
            "user [{'fileData':{'fileUri':'files/x'}},"
                + "{'fileData':{'mimeType':'application/pdf','fileUri':'https://h/d.pdf'}}]");
  }

  @Proves("translation.request.detail")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          high low   | MEDIA_RESOLUTION_HIGH | CHANGED detail
          high high  | MEDIA_RESOLUTION_HIGH | ``
          original   | MEDIA_RESOLUTION_HIGH | ``
          low low    | MEDIA_RESOLUTION_LOW  | ``
          low auto   | ``                    | DROPPED detail
          auto       | ``                    | ``
          """)
  @DisplayName("have the highest detail that is requested for one of them")
  void detail(String details, String resolution, String loss) {
    var parts = new StringBuilder("{'type':'text','text':'see'}");
    for (String detail : details.split(" ")) {
      parts.append(
          ",{'type':'image_url','image_url':{'url':'https://h/a.png','detail':'" + detail + "'}}");
    }
    GeminiTestRequest body = chat("{'role':'user','content':[" + parts + "]}");
    assertThat(body.member("generationConfig"))
        .isEqualTo(resolution.isEmpty() ? "" : "{'mediaResolution':'" + resolution + "'}");
    assertThat(String.join(",", body.losses())).isEqualTo(loss);
  }

  @Test
  @DisplayName("lose their names, contexts and cache marks")
  void lost() {
    String mark = ",'cache_control':{'type':'ephemeral'}";
    GeminiTestRequest body =
        messages(
            "{'role':'user','content':[{'type':'text','text':'a'"
                + mark
                + "},{'type':'document','title':'T','context':'C','source':{'type':'url',"
                + "'url':'https://h/x.pdf'}"
                + mark
                + "}]}",
            "'system':[{'type':'text','text':'s'" + mark + "}]",
            "'tools':[{'name':'f','input_schema':{'type':'object'}" + mark + "}]");
    assertThat(body.losses())
        .containsExactlyInAnyOrder(
            "DROPPED cache_control", "DROPPED a document's name", "DROPPED a document's context");
    assertThat(body.written().toString()).doesNotContain("ephemeral");
  }
}
