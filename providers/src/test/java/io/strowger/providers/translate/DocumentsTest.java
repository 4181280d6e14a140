package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A document")
class DocumentsTest {
  private final List<Loss> lost = new ArrayList<>();
  private final Losses losses = new Losses(lost::add);

  private static Json.Obj json(String text) {
    try {
      byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      return (Json.Obj) new JacksonCodec().parse(bytes);
    } catch (MalformedJsonException malformed) {
      throw new AssertionError(text, malformed);
    }
  }

  private @Nullable DocumentInput read(String file, String extras) {
    return Documents.of(new Part.File(json(file), json(extras), null), losses);
  }

  private @Nullable DocumentInput read(String file) {
    return read(file, "{}");
  }

  private static DocumentInput byUrl(String url, @Nullable String name) {
    return new DocumentInput(new Media.Url(Json.of(url)), null, name, null, "application/pdf");
  }

  private static DocumentInput inline(String base64, @Nullable String name, String type) {
    return new DocumentInput(new Media.Inline(type, Json.of(base64)), null, name, null, type);
  }

  @Proves("translation.request.pdf")
  @Test
  @DisplayName("of the chat dialect is a data URL, an address, plain base64 or an upload")
  void ofChat() {
    assertThat(read("{'filename':'a.pdf','file_data':'data:application/pdf;base64,QQ=='}"))
        .isEqualTo(inline("QQ==", "a.pdf", "application/pdf"));
    assertThat(read("{'filename':'a.csv','file_data':'QQ=='}"))
        .isEqualTo(inline("QQ==", "a.csv", "text/csv"));
    assertThat(read("{'file_data':'https://x.test/a'}")).isEqualTo(byUrl("https://x.test/a", null));
    assertThat(read("{'file_id':'file-1','filename':'n'}"))
        .isEqualTo(
            new DocumentInput(new Media.FileId("file-1"), null, "n", null, "application/pdf"));
    assertThat(lost).isEmpty();
  }

  @Test
  @DisplayName("of the responses dialect may be given as file_url; null members count as absent")
  void ofResponses() {
    assertThat(read("{'file_url':'https://x.test/a.pdf','file_id':null,'filename':null}"))
        .isEqualTo(byUrl("https://x.test/a.pdf", null));
  }

  @Test
  @DisplayName("of the messages dialect keeps its title and context")
  void ofMessages() {
    assertThat(
            read(
                "{'type':'base64','media_type':'application/pdf','data':'QQ=='}",
                "{'title':'t','context':'c'}"))
        .isEqualTo(
            new DocumentInput(
                new Media.Inline("application/pdf", Json.of("QQ==")),
                null,
                "t",
                "c",
                "application/pdf"));
    assertThat(read("{'type':'url','url':'https://x.test/a.txt'}"))
        .isEqualTo(
            new DocumentInput(
                new Media.Url(Json.of("https://x.test/a.txt")), null, null, null, "text/plain"));
    assertThat(read("{'type':'file','file_id':'file-1'}", "{'title':null}"))
        .isEqualTo(
            new DocumentInput(new Media.FileId("file-1"), null, null, null, "application/pdf"));
  }

  @Test
  @DisplayName("that is text stays text in every form")
  void text() {
    assertThat(read("{'type':'text','media_type':'text/plain','data':'hello'}"))
        .isEqualTo(new DocumentInput(null, "hello", null, null, "text/plain"));
    assertThat(read("{'type':'content','content':'hello'}"))
        .isEqualTo(new DocumentInput(null, "hello", null, null, "text/plain"));
    assertThat(
            read(
                "{'type':'content','content':[{'type':'text','text':'a'},{'type':'image'},"
                    + "{'type':'text','text':'b'}]}"))
        .isEqualTo(new DocumentInput(null, "a\n\nb", null, null, "text/plain"));
    assertThat(lost).extracting(Loss::subject).containsExactly("a document's pictures");
  }

  @Test
  @DisplayName("without content is reported as lost")
  void nothing() {
    assertThat(read("{}")).isNull();
    assertThat(read("{'type':'url'}")).isNull();
    assertThat(read("{'type':'later','x':1}")).isNull();
    assertThat(lost).extracting(Loss::subject).containsExactly("a document");
  }

  @Test
  @DisplayName("loses its request for citations, which no other dialect has")
  void citations() {
    read("{'type':'file','file_id':'f'}", "{'citations':{'enabled':true}}");
    assertThat(lost).extracting(Loss::subject).containsExactly("citations");
  }

  @Test
  @DisplayName("without a name is named after its media type")
  void names() {
    assertThat(inline("QQ==", null, "application/pdf").nameOrDefault()).isEqualTo("document.pdf");
    assertThat(inline("QQ==", " ", "text/csv").nameOrDefault()).isEqualTo("document.csv");
    assertThat(inline("QQ==", null, "x/y").nameOrDefault()).isEqualTo("document");
    assertThat(inline("QQ==", "a", "x/y").nameOrDefault()).isEqualTo("a");
  }

  @Test
  @DisplayName("in a data URL becomes inline data; other URLs stay URLs")
  void dataUrls() {
    assertThat(url("data:image/PNG;charset=x;base64,QQ=="))
        .isEqualTo(new Media.Inline("image/png", Json.of("QQ==")));
    assertThat(url("DATA:,a%20%C3%A9"))
        .isEqualTo(new Media.Inline("text/plain", Json.of("YSDDqQ==")));
    assertThat(url("data:;base64,")).isEqualTo(new Media.Inline("text/plain", Json.of("")));
    for (String other : List.of("data:image/png", "data:,%4", "data:,%zz", "https://x.test/a")) {
      assertThat(url(other)).isEqualTo(new Media.Url(Json.of(other)));
    }
  }

  private static Media url(String url) {
    return DataUrl.toInline(new Media.Url(Json.of(url)));
  }
}
