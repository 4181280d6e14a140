package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.strowger.conformance.PluginGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.plugins.autorouter.AutoRouterProvider;
import io.strowger.plugins.fileparser.FileParserProvider;
import io.strowger.providers.http.AddressRules;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request with a PDF")
class FileParserPathsTest {
  private static final String MODELS =
      """
      [{'id':'acme/reader','endpoints':[{'provider':'alpha','upstream_model':'m',
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]},
       {'id':'acme/seer','aliases':['acme/alias'],'endpoints':[{'provider':'alpha','upstream_model':'m',
         'input_modalities':['text','file'],
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]}]
      """;

  private static final String PDF =
      Base64.getEncoder().encodeToString(pdf("the secret of the sea"));

  private static byte[] pdf(String text) {
    try (var document = new PDDocument()) {
      var page = new PDPage();
      document.addPage(page);
      try (var content = new PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(new PDType1Font(FontName.HELVETICA), 12);
        content.newLineAtOffset(50, 700);
        content.showText(text);
        content.endText();
      }
      var out = new ByteArrayOutputStream();
      document.save(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PluginGateway gateway() {
    return gateway("{}", new FileParserProvider());
  }

  private static PluginGateway gateway(String section, FileParserProvider provider) {
    var gateway = new PluginGateway(MODELS, section, Plugins.none().add(provider));
    gateway.upstream.script("m", Script.answer("a document"));
    return gateway;
  }

  private static String body(String path, String model, String members) {
    String data = "data:application/pdf;base64," + PDF;
    String part =
        switch (path) {
          case "/messages" ->
              "{'type':'document','title':'sea.pdf','source':{'type':'base64','media_type':'application/pdf','data':'%s'}}"
                  .formatted(PDF);
          case "/responses" ->
              "{'type':'input_file','filename':'sea.pdf','file_data':'%s'}".formatted(data);
          default ->
              "{'type':'file','file':{'filename':'sea.pdf','file_data':'%s'}}".formatted(data);
        };
    return "{'model':'%s','%s':[{'role':'user','content':[%s]}]%s%s}"
        .formatted(
            model,
            path.equals("/responses") ? "input" : "messages",
            part,
            path.equals("/messages") ? ",'max_tokens':100" : "",
            members)
        .replace('\'', '"');
  }

  @Proves("plugins.other.file-parser.default")
  @AtEveryPathAndStreaming
  @DisplayName(
      "Row 7 engine omitted: is sent as text to a model that accepts no files, even if no plugin is"
          + " named")
  void read(String path, boolean stream) throws IOException {
    try (var gateway = gateway()) {
      TestResponse response = gateway.post(path, body(path, "acme/reader", ",'stream':" + stream));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.upstream.last().text())
          .contains("the secret of the sea")
          .contains("sea.pdf")
          .doesNotContain("base64");
      assertThat(response.text()).contains("\"file-parser\"").contains("\"pages\":1");
      if (!path.equals("/messages")) { // which has no place for annotations
        assertThat(response.text()).contains("\"type\":\"file\"").contains("\"hash\":\"");
      }
    }
  }

  /** Returns a gateway with settings of plugins and members of the account. */
  private static PluginGateway gatewayWith(String settings, String account) {
    String section = "{'settings':{" + settings + "}},'account':{" + account + "}";
    Plugins plugins = Plugins.none().add(new FileParserProvider());
    var gateway = new PluginGateway(MODELS, section, plugins);
    gateway.upstream.script("m", Script.answer("a document"));
    return gateway;
  }

  @AtEveryPath
  @DisplayName("passes through the filters of requests: text of the PDF is redacted or blocked")
  void filtered(String path) throws IOException {
    String filter =
        "'guardrails':[{'name':'g','content_filters':[{'pattern':'secret of','action':'%s'}]}]";
    try (var gateway = gatewayWith("", filter.formatted("redact"))) {
      TestResponse response = gateway.post(path, body(path, "acme/reader", ""));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.upstream.last().text())
          .contains("the [REDACTED] the sea")
          .doesNotContain("secret");
      assertThat(response.text()).contains("\"content-filter\"");
    }
    try (var gateway = gatewayWith("", filter.formatted("block"))) {
      TestResponse response = gateway.post(path, body(path, "acme/reader", ""));
      assertThat(response.status()).isEqualTo(403);
      assertThat(gateway.upstream.received()).isEmpty();
    }
  }

  @AtEveryPath
  @DisplayName("is moderated together with the text of the PDF")
  void moderated(String path) throws IOException {
    String settings =
        "'moderation':{'requests':{'sea':'block'},'patterns':[{'name':'sea','pattern':'secret of"
            + " the sea'}]}";
    try (var gateway = gatewayWith(settings, "")) {
      String body = body(path, "acme/reader", ",'plugins':[{'id':'moderation'}]");
      TestResponse response = gateway.post(path, body);
      assertThat(response.status()).as(response.text()).isEqualTo(403);
      assertThat(response.text()).contains("Request blocked by moderation: sea");
      assertThat(gateway.upstream.received()).isEmpty();
    }
  }

  @Proves("plugins.other.file-parser.default")
  @Test
  @DisplayName("is sent unchanged to a model that accepts files")
  void left() throws IOException {
    try (var gateway = gateway()) {
      String path = "/chat/completions";
      TestResponse response = gateway.post(path, body(path, "acme/seer", ""));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.upstream.last().text()).contains(PDF);
      assertThat(response.text()).doesNotContain("file-parser");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"acme/alias", "router/auto", "acme/seer:nitro"})
  @DisplayName(
      "is sent unchanged to a model that accepts files also through an alias, a variant or a"
          + " router")
  void unchangedBehindName(String model) throws IOException {
    Plugins plugins = Plugins.none().add(new AutoRouterProvider()).add(new FileParserProvider());
    try (var gateway = new PluginGateway(MODELS, "{}", plugins)) {
      gateway.upstream.script("m", Script.answer("a document"));
      TestResponse response =
          gateway.post("/chat/completions", body("/chat/completions", model, ""));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.text()).contains("\"acme/seer\"").doesNotContain("file-parser");
      assertThat(gateway.upstream.last().text()).contains(PDF);
    }
  }

  @Test
  @DisplayName("is sent as text if a router may choose only models that accept no files")
  void readBehindRouter() throws IOException {
    Plugins plugins = Plugins.none().add(new AutoRouterProvider()).add(new FileParserProvider());
    try (var gateway = new PluginGateway(MODELS, "{}", plugins)) {
      gateway.upstream.script("m", Script.answer("a document"));
      String only = ",'plugins':[{'id':'auto-router','allowed_models':['acme/reader']}]";
      String path = "/chat/completions";
      TestResponse response = gateway.post(path, body(path, "router/auto", only));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.upstream.last().text()).contains("the secret of the sea");
    }
  }

  @Test
  @DisplayName("that no model can serve is refused without OCR")
  void unservable() throws IOException {
    List<String> ocrRequests = Collections.synchronizedList(new ArrayList<>());
    HttpServer service = service(ocrRequests);
    String section =
        "{'settings':{'file-parser':{'ocr':[{'url':'http://127.0.0.1:%d'}]}}}"
            .formatted(service.getAddress().getPort());
    try (var transport = new ApacheTransport();
        var gateway = gateway(section, new FileParserProvider(null, transport))) {
      String path = "/chat/completions";
      String only = ",'provider':{'only':['nobody']}";
      assertThat(gateway.post(path, body(path, "acme/reader", only)).status()).isEqualTo(404);
      assertThat(gateway.post(path, body(path, "acme/none", "")).status()).isEqualTo(400);
      assertThat(ocrRequests).isEmpty();
    } finally {
      service.stop(0);
    }
  }

  @Test
  @DisplayName("is refused if the plugin is switched off and the model accepts no files")
  void off() throws IOException {
    try (var gateway = gateway()) {
      String path = "/chat/completions";
      String off = ",'plugins':[{'id':'file-parser','enabled':false}]";
      assertThat(gateway.post(path, body(path, "acme/reader", off)).status()).isEqualTo(404);
    }
  }

  @Test
  @DisplayName("is refused with 400 and the name of the setting if its engine is not configured")
  void notSetUp() throws IOException {
    try (var gateway = gateway()) {
      String path = "/chat/completions";
      String ocr = ",'plugins':[{'id':'file-parser','pdf':{'engine':'mistral-ocr'}}]";
      TestResponse response = gateway.post(path, body(path, "acme/reader", ocr));
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).contains("/plugins/0/pdf/engine").contains("files.ocr");
    }
  }

  @Proves("plugins.other.file-parser.failure")
  @AtEveryPath
  @DisplayName(
      "Row 7 file_annotations: whose providers all fail is answered with an error that has the"
          + " parsed text")
  void failed(String path) throws IOException {
    try (var gateway = gateway()) {
      gateway.upstream.script("m", Script.status(500));
      TestResponse response = gateway.post(path, body(path, "acme/reader", ""));
      assertThat(response.status()).isGreaterThanOrEqualTo(500);
      assertThat(response.text())
          .contains("\"file_annotations\":[{")
          .contains("the secret of the sea");
    }
  }

  private static final String GUARDED =
      "{'settings':{'moderation':{'requests':{},'answers':{'sea':'redact'},"
          + "'patterns':[{'name':'sea','pattern':'secret of the sea'}]}}}";

  @ParameterizedTest(name = "stream {0}")
  @CsvSource({"false", "true"})
  @DisplayName(
      "is answered with the parsed text as redacted by the moderation of answers, with and without"
          + " text of the model")
  void guardedAnnotations(boolean stream) throws IOException {
    try (var gateway = gateway(GUARDED, new FileParserProvider())) {
      String path = "/chat/completions";
      String body =
          body(path, "acme/reader", ",'plugins':[{'id':'moderation'}],'stream':" + stream);
      for (Script script :
          List.of(
              Script.answer("a document"),
              Script.builder().text("").toolCall("call_1", "look", "{}").build())) {
        gateway.upstream.script("m", script);
        TestResponse response = gateway.post(path, body);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text().split("\"type\":\"file\"", -1)).hasSize(2);
        assertThat(response.text())
            .contains("the [REDACTED]")
            .doesNotContain("the secret of the sea");
      }
    }
  }

  @AtEveryPath
  @DisplayName(
      "whose providers all fail is answered with the parsed text as redacted by the moderation of"
          + " answers")
  void failedAndGuarded(String path) throws IOException {
    try (var gateway = gateway(GUARDED, new FileParserProvider())) {
      gateway.upstream.script("m", Script.status(500));
      String body = body(path, "acme/reader", ",'plugins':[{'id':'moderation'}]");
      TestResponse response = gateway.post(path, body);
      assertThat(response.text())
          .contains("\"file_annotations\":[{")
          .doesNotContain("the secret of the sea");
    }
  }

  /** Starts an OCR service that answers every request with the same page. */
  private static HttpServer service(List<String> ocrRequests) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          ocrRequests.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          byte[] answer =
              "{\"pages\":[{\"index\":0,\"markdown\":\"recognized\",\"images\":[]}],\"usage_info\":{\"pages_processed\":1}}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  @DisplayName("is read once by the OCR service that is configured, and its pages are billed")
  void recognized() throws IOException {
    List<String> ocrRequests = Collections.synchronizedList(new ArrayList<>());
    HttpServer service = service(ocrRequests);
    String section =
        "{'settings':{'file-parser':{'ocr':[{'url':'http://127.0.0.1:%d','api_key':'k'}]}}}"
            .formatted(service.getAddress().getPort());
    try (var transport = new ApacheTransport();
        var gateway = gateway(section, new FileParserProvider(null, transport))) {
      String path = "/chat/completions";
      TestResponse first = gateway.post(path, body(path, "acme/reader", ""));
      assertThat(first.status()).as(first.text()).isEqualTo(200);
      assertThat(ocrRequests)
          .singleElement()
          .satisfies(
              one ->
                  assertThat(one)
                      .startsWith("Bearer k /v1/ocr ")
                      .contains("\"document_url\":\"data:application/pdf;base64,"));
      assertThat(gateway.upstream.last().text()).contains("recognized");
      assertThat(gateway.account().settled().credits().nanos()).isGreaterThan(2_000_000);

      Json.Obj message =
          ((Json.Obj) Objects.requireNonNull(first.json().list("choices")).get(0))
              .object("message");
      String again =
          body(path, "acme/reader", "")
              .replace("]}]", "]}," + message + ",{\"role\":\"user\",\"content\":\"And?\"}]");
      TestResponse second = gateway.post(path, again);
      assertThat(second.status()).as(second.text()).isEqualTo(200);
      assertThat(ocrRequests).hasSize(1);
      assertThat(gateway.upstream.last().text())
          .contains("recognized")
          .doesNotContain("annotations");
      assertThat(second.text()).contains("\"files_read_before\":1");
    } finally {
      service.stop(0);
    }
  }

  @ParameterizedTest(name = "stream {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("is answered with the parsed file also beside tool calls, in chat and responses")
  void besideCalls(boolean stream) throws IOException {
    for (String path : List.of("/chat/completions", "/responses")) {
      try (var gateway = gateway()) {
        gateway.upstream.script("m", Script.builder().toolCall("c1", "look", "{}").build());
        TestResponse response =
            gateway.post(path, body(path, "acme/reader", ",'stream':" + stream));
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.text())
            .contains("\"look\"")
            .contains("\"type\":\"file\"")
            .contains("\"hash\":\"");
      }
    }
  }

  @Proves("plugins.other.file-parser.annotations")
  @Test
  @DisplayName("is billed once for an agent whose model only calls tools")
  void agent() throws IOException {
    List<String> ocrRequests = Collections.synchronizedList(new ArrayList<>());
    HttpServer service = service(ocrRequests);
    String section =
        "{'settings':{'file-parser':{'ocr':[{'url':'http://127.0.0.1:%d'}]}}}"
            .formatted(service.getAddress().getPort());
    try (var transport = new ApacheTransport();
        var gateway = gateway(section, new FileParserProvider(null, transport))) {
      gateway.upstream.script("m", Script.builder().toolCall("c1", "look", "{}").build());
      String path = "/chat/completions";
      TestResponse first = gateway.post(path, body(path, "acme/reader", ""));
      Json.Obj message =
          Objects.requireNonNull(
              ((Json.Obj) Objects.requireNonNull(first.json().list("choices")).get(0))
                  .object("message"));
      assertThat(message.list("tool_calls")).hasSize(1);
      String again =
          body(path, "acme/reader", "")
              .replace(
                  "]}]",
                  "]},"
                      + message
                      + ",{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"found\"}]");
      TestResponse second = gateway.post(path, again);
      assertThat(second.status()).as(second.text()).isEqualTo(200);
      assertThat(ocrRequests).hasSize(1);
      assertThat(gateway.upstream.last().text())
          .contains("recognized")
          .doesNotContain("annotations");
    } finally {
      service.stop(0);
    }
  }

  @Test
  @DisplayName("at an address of the gateway's own network is not fetched")
  void privateAddress() throws IOException {
    List<String> ocrRequests = Collections.synchronizedList(new ArrayList<>());
    HttpServer service = service(ocrRequests);
    try (var pages =
            new ApacheTransport(ApacheTransport.Limits.DEFAULT, AddressRules.publicOnly());
        var gateway = gateway("{}", new FileParserProvider(pages, null))) {
      String path = "/chat/completions";
      String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/a.pdf";
      TestResponse response =
          gateway.post(
              path,
              body(path, "acme/reader", "").replace("data:application/pdf;base64," + PDF, url));
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).contains("could not be fetched");
      assertThat(ocrRequests).isEmpty();
    } finally {
      service.stop(0);
    }
  }
}
