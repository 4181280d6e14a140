package io.strowger.plugins.fileparser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.json.JacksonCodec;
import io.strowger.plugins.pdf.Pdfs;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("file-parser")
class FileParserTest {
  static final byte[] PDF = Pdfs.pages("the first page", "the second page");

  /** A transport that answers each request with the next prepared response. */
  private static final class FakeTransport implements Transport {
    private final List<Request> requests = new ArrayList<>();
    private final List<Response> responses = new ArrayList<>();

    FakeTransport then(int status, byte[] body, Map<String, String> headers) {
      responses.add(
          new Response() {
            @Override
            public int status() {
              return status;
            }

            @Override
            public @Nullable String header(String name) {
              return headers.entrySet().stream()
                  .filter(header -> header.getKey().equalsIgnoreCase(name))
                  .map(Map.Entry::getValue)
                  .findFirst()
                  .orElse(null);
            }

            @Override
            public InputStream body() {
              return new ByteArrayInputStream(body);
            }

            @Override
            public void close() {}
          });
      return this;
    }

    @Override
    public Response send(Request request) throws IOException {
      requests.add(request);
      if (responses.isEmpty()) {
        throw new IOException("connection refused");
      }
      return responses.removeFirst();
    }

    @Override
    public void close() {}
  }

  private final FakeTransport files = new FakeTransport();
  private final FakeTransport services = new FakeTransport();

  private Interceptor parser(@Nullable String engine, boolean ocr) {
    var provider = new FileParserProvider(files, services);
    var withoutOcr = Map.<io.strowger.spi.plugin.Field<?>, Object>of();
    var withOcr =
        Map.<io.strowger.spi.plugin.Field<?>, Object>of(
            FileParserProvider.OCR_SERVICES,
            List.of(new OcrAccount("https://ocr.example/", "secret", "mistral-ocr-latest")));
    Json.Obj pdf = engine == null ? Json.Obj.EMPTY : Json.object().put("engine", engine).build();
    return (Interceptor)
        provider
            .with(new PluginConfig(ocr ? withOcr : withoutOcr))
            .create(
                new PluginConfig(Map.of(FileParserProvider.PDF, pdf)),
                Catalog.builder("none").build());
  }

  static Part.File file(byte[] pdf) {
    return new Part.File(
        Json.object()
            .put("filename", "doc.pdf")
            .put("file_data", "data:application/pdf;base64," + base64(pdf))
            .build(),
        Json.Obj.EMPTY,
        null);
  }

  private static Part.File fileAt(String url) {
    return new Part.File(Json.object().put("file_data", url).build(), Json.Obj.EMPTY, null);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static InferenceRequest request(Part... parts) {
    return Given.request("acme/one", "hello").toBuilder()
        .messages(
            List.of(
                new Message(
                    Role.USER, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null)))
        .build();
  }

  static FakeChain chain(Modality... inputs) {
    Endpoint.Builder endpoint = Given.endpoint("acme", "acme/one", "1").toBuilder();
    endpoint.inputModalities(Modality.mask(List.of(inputs)) | Modality.TEXT.bit());
    return FakeChain.of(List.of(new Event.CompleteAnswer(Given.answer("fine"))))
        .withCodec(new JacksonCodec())
        .withCatalog(Given.catalog(endpoint.build()));
  }

  private static FakeChain run(Interceptor parser, InferenceRequest request, FakeChain chain) {
    try (EventStream stream = parser.intercept(request, chain)) {
      assertThat(stream.next()).isNotNull();
    }
    return chain;
  }

  private static List<Part> sentParts(FakeChain chain) {
    return chain.requests().getFirst().messages().getLast().parts();
  }

  private static String text(Part part) {
    return ((Part.Text) part).text().text();
  }

  private GatewayException refusal(Interceptor parser, InferenceRequest request) {
    FakeChain chain = chain();
    var refused =
        catchThrowableOfType(GatewayException.class, () -> parser.intercept(request, chain));
    assertThat(chain.requests()).isEmpty();
    assertThat(chain.holds()).noneMatch(FakeChain.FakeHold::isOpen);
    assertThat(chain.settledAndHeld()).isEqualTo(Usd.ZERO);
    return refused;
  }

  @Proves("plugins.other.file-parser.engine")
  @Test
  @DisplayName(
      "Row 7 cloudflare-ai: reads the document's own text free of charge if no OCR is configured,"
          + " and reports it")
  void free() {
    FakeChain chain =
        run(parser(null, false), request(new Part.Text("What is it?"), file(PDF)), chain());
    assertThat(sentParts(chain)).hasSize(2);
    assertThat(text(sentParts(chain).get(1)))
        .isEqualTo("File doc.pdf:\nthe first page\n\nthe second page");
    assertThat(chain.holds()).isEmpty();
    assertThat(chain.stages().getFirst().type()).isEqualTo("plugin");
    assertThat(chain.stages().getFirst().name()).isEqualTo("file-parser");
    assertThat(chain.stages().getFirst().data())
        .isEqualTo(
            Json.object()
                .put("engine", "cloudflare-ai")
                .put("files", 1)
                .put("files_read_before", 0)
                .put("pages", 2)
                .put("images", 0)
                .build());
  }

  @Proves("plugins.other.file-parser.engine")
  @Test
  @DisplayName("Row 7 pdf-text: pdf-text is another name of the free engine")
  void alias() {
    FakeChain chain = run(parser("pdf-text", true), request(file(PDF)), chain(Modality.FILE));
    assertThat(text(sentParts(chain).getFirst())).contains("the first page");
    assertThat(chain.stages().getFirst().data().text("engine")).isEqualTo("cloudflare-ai");
    assertThat(services.requests).isEmpty();
  }

  @Proves("plugins.other.file-parser.engine")
  @Test
  @DisplayName(
      "Row 7 native: passes files on to a model that accepts them, and to every model if native is"
          + " requested")
  void left() {
    InferenceRequest request = request(file(PDF));
    FakeChain accepting = run(parser(null, true), request, chain(Modality.FILE));
    FakeChain nativeRequested = run(parser("native", true), request, chain());
    for (FakeChain chain : List.of(accepting, nativeRequested)) {
      assertThat(chain.requests().getFirst()).isSameAs(request);
      assertThat(chain.stages()).isEmpty();
      assertThat(chain.citations()).isEmpty();
    }
  }

  @Test
  @DisplayName("leaves a request without PDF files unchanged")
  void nothing() {
    for (Part part :
        List.of(
            new Part.Text("hello"),
            fileAt("data:text/plain;base64,aGVsbG8="),
            new Part.File(Json.object().put("file_id", "f1").build(), Json.Obj.EMPTY, null))) {
      InferenceRequest request = request(part);
      FakeChain chain = run(parser("cloudflare-ai", false), request, chain());
      assertThat(chain.requests().getFirst()).isSameAs(request);
    }
  }

  @Test
  @DisplayName(
      "reads files of the messages dialect, also in results of tools, and of the responses dialect")
  void dialects() {
    Json.Obj source =
        Json.object()
            .put("type", "base64")
            .put("media_type", "application/pdf")
            .put("data", base64(PDF))
            .build();
    var block = new Part.File(source, Json.object().put("title", "T").build(), null);
    var result = new Part.ToolResult("c1", List.of(block), false);
    var raw =
        new Part.File(Json.object().put("file_data", base64(PDF)).build(), Json.Obj.EMPTY, null);
    FakeChain chain = run(parser(null, false), request(block, result, raw), chain());
    assertThat(text(sentParts(chain).get(0))).startsWith("File T:\nthe first page");
    assertThat(text(((Part.ToolResult) sentParts(chain).get(1)).content().getFirst()))
        .startsWith("File T:\nthe first page");
    assertThat(text(sentParts(chain).get(2))).startsWith("File:\nthe first page");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, Integer.MAX_VALUE})
  @DisplayName("never bills more pages than the document has, whatever the OCR service reports")
  void inflated(int processed) {
    services.then(200, ocrAnswer(2, 0, processed), Map.of());
    FakeChain chain = run(parser(null, true), request(file(PDF)), chain());
    assertThat(chain.settledAndHeld()).isEqualTo(new Usd(4_000_000));
  }

  @Test
  @DisplayName("reads and bills a file once that occurs twice in a request")
  void twice() {
    services.then(200, ocrAnswer(2, 0, 2), Map.of());
    FakeChain chain = run(parser(null, true), request(file(PDF), file(PDF)), chain());
    assertThat(services.requests).hasSize(1);
    assertThat(chain.settledAndHeld()).isEqualTo(new Usd(4_000_000));
    assertThat(text(sentParts(chain).get(1))).isEqualTo(text(sentParts(chain).get(0)));
    assertThat(chain.citations()).hasSize(1);
  }

  private static byte[] ocrAnswer(int pages, int images, int processed) {
    String pictures =
        String.join(
            ",",
            IntStream.range(0, images)
                .mapToObj(
                    i ->
                        "{\"id\":\"i"
                            + i
                            + "\",\"image_base64\":\"data:image/png;base64,AA"
                            + i
                            + "\"}")
                .toList());
    String all =
        String.join(
            ",",
            IntStream.range(0, pages)
                .mapToObj(
                    i ->
                        "{\"index\":"
                            + i
                            + ",\"markdown\":\"# page "
                            + i
                            + "\",\"images\":["
                            + (i == 0 ? pictures : "")
                            + "]}")
                .toList());
    return ("{\"pages\":[" + all + "],\"usage_info\":{\"pages_processed\":" + processed + "}}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Proves({"plugin.file-parser", "plugins.pipeline.plugin", "plugins.other.file-parser.engine"})
  @Test
  @DisplayName(
      "Row 7 mistral-ocr: uses the OCR service if one is configured: $2 for 1,000 pages, held"
          + " before and billed exactly")
  void ocr() {
    services.then(200, ocrAnswer(2, 0, 1), Map.of());
    FakeChain chain = run(parser(null, true), request(file(PDF)), chain());
    assertThat(text(sentParts(chain).getFirst())).isEqualTo("File doc.pdf:\n# page 0\n\n# page 1");
    assertThat(chain.holds())
        .singleElement()
        .satisfies(
            hold -> {
              assertThat(hold.amount()).isEqualTo(new Usd(4_000_000));
              assertThat(hold.isOpen()).isFalse();
              assertThat(chain.settledAndHeld()).isEqualTo(new Usd(2_000_000));
            });
    Transport.Request ocrRequest = services.requests.getFirst();
    assertThat(ocrRequest.uri()).hasToString("https://ocr.example/v1/ocr");
    assertThat(ocrRequest.headers()).containsEntry("Authorization", "Bearer secret");
    assertThat(ocrRequest.toString()).doesNotContain("secret");
  }

  @Proves("plugins.other.file-parser.images")
  @Test
  @DisplayName(
      "Row 7 images: forwards all text and at most 8 pictures of a request, and no picture to a"
          + " model that accepts none")
  void images() {
    services.then(200, ocrAnswer(1, 10, 1), Map.of());
    services.then(200, ocrAnswer(1, 10, 1), Map.of());
    InferenceRequest two = request(file(PDF), file(Pdfs.pages("another")));
    FakeChain chain = run(parser("mistral-ocr", true), two, chain(Modality.IMAGE));
    assertThat(sentParts(chain).stream().filter(part -> part instanceof Part.Image)).hasSize(8);
    assertThat(sentParts(chain).stream().filter(part -> part instanceof Part.Text)).hasSize(2);
    assertThat(chain.stages().getFirst().data().longValue("images", 0)).isEqualTo(8);
    for (Json.Obj annotation : chain.citations()) {
      assertThat(file(annotation).list("content")).hasSize(9);
    }
    services.then(200, ocrAnswer(1, 10, 1), Map.of());
    FakeChain withoutImages = run(parser("mistral-ocr", true), request(file(PDF)), chain());
    assertThat(sentParts(withoutImages)).hasSize(1);
  }

  @Test
  @DisplayName("bills nothing when the OCR service fails, and reports the failure")
  void ocrFails() {
    services.then(500, new byte[0], Map.of());
    services.then(200, "no JSON".getBytes(StandardCharsets.UTF_8), Map.of());
    services.then(200, "{}".getBytes(StandardCharsets.UTF_8), Map.of());
    for (String message :
        List.of(
            "answered with status 500",
            "answered with something that is not JSON",
            "answered with something that has no pages",
            "could not be reached, or the connection broke off")) {
      assertThat(refusal(parser("mistral-ocr", true), request(file(PDF))).error().message())
          .isEqualTo("The file doc.pdf could not be read by OCR: the service " + message);
    }
  }

  @Test
  @DisplayName("refuses to use OCR if none is configured, naming the entry and the setting")
  void notSetUp() {
    InferenceRequest request =
        request(file(PDF)).toBuilder()
            .plugins(
                List.of(
                    new PluginEntry("web", true, Json.Obj.EMPTY),
                    new PluginEntry("file-parser", true, Json.Obj.EMPTY)))
            .build();
    assertThat(refusal(parser("mistral-ocr", false), request).error().message())
        .contains("/plugins/1/pdf/engine")
        .contains("files.ocr");
  }

  @Proves({"plugins.other.file-parser.annotations", "chat.answer.annotations"})
  @Test
  @DisplayName(
      "Row 7 annotations: returns what was read with the answer, and does not read a file again"
          + " whose annotation is sent back")
  void annotations() {
    InferenceRequest first = request(file(PDF), file(PDF));
    FakeChain chain = run(parser(null, false), first, chain());
    Json.Obj annotation = chain.citations().getFirst();
    assertThat(chain.citations()).hasSize(1);
    assertThat(annotation.text("type")).isEqualTo("file");
    assertThat(file(annotation).text("hash")).hasSize(64);
    assertThat(file(annotation).text("name")).isEqualTo("doc.pdf");

    Json.Obj other = Json.object().put("type", "url_citation").build();
    var answer =
        new Message(
            Role.ASSISTANT,
            List.of(new Part.Text("It is a document.")),
            Message.ContentForm.STRING,
            Json.object().put("annotations", Json.array(annotation, other)).build(),
            null);
    var again = new ArrayList<>(first.messages());
    again.add(answer);
    again.add(Message.text(Role.USER, "And?"));
    FakeChain second =
        run(parser("mistral-ocr", true), first.toBuilder().messages(again).build(), chain());
    assertThat(services.requests).isEmpty();
    assertThat(second.holds()).isEmpty();
    assertThat(second.citations()).isEmpty();
    List<Message> sent = second.requests().getFirst().messages();
    assertThat(text(sent.get(0).parts().getFirst())).contains("the second page");
    assertThat(sent.get(1).extras().list("annotations")).isEqualTo(Json.array(other));
    assertThat(second.stages().getFirst().data().longValue("files_read_before", 0)).isEqualTo(2);
  }

  @Test
  @DisplayName("fetches a file from its address, and follows redirects")
  void fetched() {
    files.then(302, new byte[0], Map.of("location", "/other.pdf")).then(200, PDF, Map.of());
    FakeChain chain = run(parser(null, false), request(fileAt("https://x.example/a.pdf")), chain());
    assertThat(text(sentParts(chain).getFirst())).contains("the first page");
    assertThat(files.requests)
        .extracting(request -> request.uri().toString())
        .containsExactly("https://x.example/a.pdf", "https://x.example/other.pdf");
  }

  @Test
  @DisplayName("says why a file could not be fetched")
  void notFetched() {
    files.then(404, new byte[0], Map.of());
    assertThat(
            refusal(parser(null, false), request(fileAt("https://x.example/a.pdf")))
                .error()
                .message())
        .isEqualTo("The file could not be fetched: the site answered with status 404");
    for (int i = 0; i < 4; i++) {
      files.then(301, new byte[0], Map.of("location", "https://x.example/b.pdf"));
    }
    assertThat(
            refusal(parser(null, false), request(fileAt("https://x.example/a.pdf")))
                .error()
                .message())
        .endsWith("the site redirected more than 3 times");
    files.then(301, new byte[0], Map.of("location", "file:///etc/passwd"));
    assertThat(
            refusal(parser(null, false), request(fileAt("https://x.example/a.pdf")))
                .error()
                .message())
        .endsWith("the site has an address that is not http or https");
    var withoutOcr =
        (Interceptor)
            new FileParserProvider().create(PluginConfig.EMPTY, Catalog.builder("none").build());
    assertThat(refusal(withoutOcr, request(fileAt("https://x.example/a.pdf"))).error().message())
        .contains("this gateway fetches no files");
  }

  @Test
  @DisplayName("says why a document cannot be read")
  void unreadable() {
    assertThat(refusal(parser(null, false), request(file(Pdfs.encrypted("x", "text")))).error())
        .hasToString("INVALID_REQUEST: The file doc.pdf is encrypted, and no password is known");
    assertThat(refusal(parser(null, true), request(file(new byte[] {1, 2}))).error())
        .hasToString("INVALID_REQUEST: The file doc.pdf is no PDF document that can be read");
    assertThat(
            refusal(parser(null, false), request(fileAt("data:application/pdf;base64,%%"))).error())
        .hasToString("INVALID_REQUEST: The file is not valid base64");
    assertThat(services.requests).isEmpty();
  }

  @Test
  @DisplayName(
      "reads a text file at an address as text, and passes on a file that is neither text nor PDF")
  void otherFiles() {
    files.then(
        200, "one, two".getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", "text/csv"));
    FakeChain text = run(parser(null, false), request(fileAt("https://x.example/a.csv")), chain());
    assertThat(text(sentParts(text).getFirst())).isEqualTo("File:\none, two");
    Part.File zip = fileAt("https://x.example/a.zip");
    files.then(200, new byte[] {'P', 'K', 0, 1}, Map.of("Content-Type", "application/zip"));
    FakeChain other = run(parser(null, false), request(zip), chain());
    assertThat(sentParts(other)).containsExactly(zip);
    assertThat(other.citations()).isEmpty();
    assertThat(other.stages()).isEmpty();
    files.then(200, PDF, Map.of("Content-Type", "binary/whatever"));
    FakeChain unknownType =
        run(parser(null, false), request(fileAt("https://x.example/a")), chain());
    assertThat(text(sentParts(unknownType).getFirst())).contains("the first page");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r\n", "\n", " \n\t"})
  @DisplayName("reads base64 that is broken into lines, as mail programs send it")
  void lines(String separator) {
    String broken =
        Base64.getMimeEncoder(76, separator.getBytes(StandardCharsets.US_ASCII))
            .encodeToString(PDF);
    FakeChain chain =
        run(
            parser(null, false),
            request(fileAt("data:application/pdf;base64," + separator + broken + separator)),
            chain());
    assertThat(text(sentParts(chain).getFirst())).contains("the second page");
  }

  @Test
  @DisplayName("refuses more than 20 files or 64 MiB in a request, and names their message")
  void tooMuch() {
    Part[] tooMany = new Part[21];
    Arrays.fill(tooMany, file(PDF));
    InferenceRequest request = request(tooMany);
    var second = new ArrayList<Message>();
    second.add(Message.text(Role.USER, "hello"));
    second.addAll(request.messages());
    assertThat(
            refusal(parser(null, false), request.toBuilder().messages(second).build())
                .error()
                .message())
        .contains("/messages/1", "at most 20 files");
    Part[] most = Arrays.copyOf(tooMany, 20);
    assertThat(run(parser(null, false), request(most), chain()).citations()).hasSize(1);
    byte[] large = Arrays.copyOf(PDF, 30 << 20);
    for (int i = 0; i < 3; i++) {
      files.then(200, large, Map.of("Content-Type", "text/plain"));
    }
    Part at = fileAt("https://x.example/large");
    assertThat(refusal(parser(null, false), request(at, at, at)).error().message())
        .contains("/messages/0", "at most 67108864 bytes");
  }

  @Test
  @DisplayName("allows 30 seconds for a fetch and two minutes for OCR")
  void deadlines() {
    files.then(200, PDF, Map.of());
    services.then(200, ocrAnswer(2, 0, 2), Map.of());
    FakeChain chain = run(parser(null, true), request(fileAt("https://x.example/a.pdf")), chain());
    assertThat(chain.outgoingCalls())
        .extracting(FakeChain.FakeOutgoingCall::timeLimit)
        .containsExactly(Duration.ofSeconds(30), Duration.ofMinutes(2));
    assertThat(files.requests.getFirst().cancellation())
        .isSameAs(chain.outgoingCalls().get(0).cancellation());
    assertThat(services.requests.getFirst().cancellation())
        .isSameAs(chain.outgoingCalls().get(1).cancellation());
    chain.assertUsedCorrectly();
  }

  @Test
  @DisplayName("uses the OCR engine of the host, unless the settings name a service")
  void ocrOfHost() {
    OcrEngine hostEngine = (pdf, images, chain) -> new OcrEngine.Recognition("ours", List.of(), 2);
    var parser =
        (Interceptor)
            new FileParserProvider(files, services, hostEngine)
                .with(new PluginConfig(Map.of()))
                .create(PluginConfig.EMPTY, Catalog.builder("none").build());
    FakeChain chain = run(parser, request(file(PDF)), chain());
    assertThat(text(sentParts(chain).getFirst())).isEqualTo("File doc.pdf:\nours");
    assertThat(chain.settledAndHeld()).isEqualTo(new Usd(4_000_000));
  }

  @Test
  @DisplayName("tells the model that a file has no text")
  void noText() {
    FakeChain chain = run(parser(null, false), request(file(Pdfs.pages(""))), chain());
    assertThat(text(sentParts(chain).getFirst())).endsWith("[no text was found in this file]");
  }

  private static List<String> ocrProblems(String services) throws MalformedJsonException {
    Json given =
        new JacksonCodec().parse(services.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    var problems = new ArrayList<String>();
    OcrAccount.read(given, (pointer, rule, value) -> problems.add(pointer + " " + rule));
    return problems;
  }

  @Test
  @DisplayName("refuses settings with which no OCR service can be used")
  void settings() throws MalformedJsonException {
    assertThat(ocrProblems("[{'url':'https://ocr.example','api_key':null,'model':'m'}]")).isEmpty();
    for (String wrong : List.of("ocr.example", "ftp://ocr.example", "https://", "http://a:b@c")) {
      assertThat(ocrProblems("[{'url':'" + wrong + "'}]"))
          .containsExactly("/0/url must be an http or https address");
    }
    assertThat(ocrProblems("[{'api_key':' ','key':'k'}]"))
        .containsExactly(
            "/0/key is not a member here; allowed: url, api_key, model",
            "/0/url is required",
            "/0/api_key must be a string of printable ASCII that is not blank");
    assertThat(ocrProblems("{}")).containsExactly(" must be an array of at most one OCR service");
    assertThat(ocrProblems("[7]")).containsExactly("/0 must be an object");
  }

  @Test
  @DisplayName("reads no more pages and bytes than the settings allow")
  void limits() {
    var few = new PluginConfig(Map.of(FileParserProvider.MAX_PAGES, 1L));
    var small = new PluginConfig(Map.of(FileParserProvider.MAX_BYTES, 10L));
    Map<PluginConfig, String> messages =
        Map.of(few, "has more than 1 pages", small, "bytes, and at most 10 are read");
    messages.forEach(
        (settings, message) -> {
          Plugin limited =
              new FileParserProvider(files, services)
                  .with(settings)
                  .create(PluginConfig.EMPTY, Catalog.builder("none").build());
          InferenceRequest two = request(file(Pdfs.pages("one", "two")));
          assertThat(refusal((Interceptor) limited, two).error().message()).contains(message);
        });
  }

  private static Json.Obj file(Json.Obj annotation) {
    return Objects.requireNonNull(annotation.object("file"));
  }
}
