package io.strowger.plugins.webfetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.plugins.webclient.LoopbackSite;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.ServerToolContract;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.TestTransport;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The tool router:web_fetch")
class WebFetchToolTest extends ServerToolContract {
  private static final String PAGE =
      "<!doctype html><html><head><title> A  page </title><script>evil()</script></head><body>"
          + "<nav>Home</nav><main><h1>Head</h1><p>One <b>two</b>\n three.</p>"
          + "<ul><li>a</li><li>b</li></ul><p hidden>secret</p><p style='display: none'>hid</p>"
          + "<table><tr><td>x</td><td>y</td></tr></table><pre>a\n  b</pre></main>"
          + "<footer>Foot</footer></body></html>";

  private final TestAmbient ambient = TestAmbient.realTime();
  private final TestTransport transport = new TestTransport();
  private Function<String, byte[]> answer =
      line -> LoopbackSite.page("text/html; charset=utf-8", PAGE);
  private final LoopbackSite site = new LoopbackSite(line -> answer.apply(line));

  @AfterEach
  void nothingIsLeft() {
    assertThat(transport.openExchanges()).isZero();
    transport.close();
    site.close();
  }

  @Override
  protected ServerTool tool() {
    return new WebFetchTool(new WebClient(transport), new PageText(), WebFetchTool.LIMITS);
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(call("/page"));
  }

  @Override
  protected boolean usesNetwork() {
    return true;
  }

  private Json.Obj call(String path) {
    return Json.object().put("url", site.at(path).toString()).build();
  }

  private Json.Obj fetch(Json.Obj arguments, Json.Obj parameters, List<Json> earlier, Chain chain)
      throws ServerTool.ToolException {
    return (Json.Obj)
        tool()
            .run(
                new ServerTool.Invocation(
                    arguments, parameters, Given.request("acme/one", "Read it."), earlier),
                chain);
  }

  private Json.Obj fetch(String path) throws ServerTool.ToolException {
    return fetch(call(path), Json.Obj.EMPTY, List.of(), FakeChain.of());
  }

  private void assertFailed(Json.Obj result, String error) {
    assertThat(result.text("status")).isEqualTo("failed");
    assertThat(result.text("error")).isEqualTo(error);
    assertThat(result.size()).isEqualTo(3);
    assertThat(result.text("url")).isNotNull();
  }

  @Proves("plugins.loop.web_fetch")
  @Test
  @DisplayName("returns a page in the form of the contract")
  void shape() throws Exception {
    Json.Obj result = fetch("/page?q=1#top");
    assertThat(result)
        .isEqualTo(
            Json.object()
                .put("url", site.at("/page?q=1#top").toString())
                .put("title", "A page")
                .put("content", "# Head\n\nOne two three.\n\n- a\n- b\n\nx y\n\na\n  b")
                .put("status", "completed")
                .put("retrieved_at", "2026-11-21T17:04:05.123Z")
                .build());
    assertThat(site.requests().getFirst()).startsWith("GET /page?q=1 HTTP/1.1\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX-A: ", "HTTP/1.1 200 OK\r\n\r\n<p>"})
  @DisplayName("abandons a page after 10 seconds in all, even if its head or body keeps arriving")
  void drip(String beginning) throws Exception {
    FakeChain chain = FakeChain.of();
    var bytes = new AtomicInteger();
    try (RawUpstream slow =
        RawUpstream.start(
            ambient,
            false,
            connection -> {
              connection.readHead();
              connection.write(beginning.getBytes(StandardCharsets.US_ASCII));
              while (true) { // until the reader hangs up
                connection.write(new byte[] {'a'});
                if (bytes.incrementAndGet() == 3) {
                  chain.outgoingCalls().getFirst().elapse();
                }
              }
            })) {
      Json.Obj call = Json.object().put("url", slow.baseUri().toString()).build();
      assertFailed(fetch(call, Json.Obj.EMPTY, List.of(), chain), "The page took too long.");
    }
    assertThat(chain.outgoingCalls())
        .singleElement()
        .satisfies(one -> assertThat(one.timeLimit()).isEqualTo(Duration.ofSeconds(10)));
    chain.assertUsedCorrectly();
    ambient.assertNoThreadsLeft();
  }

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=windows-1252, windows-1252, <p>caf\u00e9</p>, caf\u00e9",
    "text/html, windows-1252, <meta charset=windows-1252><p>caf\u00e9</p>, caf\u00e9",
    "text/html, UTF-8, <p>caf\u00e9</p>, caf\u00e9",
    "text/html; charset=nonsense, UTF-8, <p>caf\u00e9</p>, caf\u00e9",
    "text/html; charset=windows-1252, UTF-8, \uFEFF<p>caf\u00e9</p>, caf\u00e9",
    "text/plain; charset=iso-8859-1, ISO-8859-1, caf\u00e9, caf\u00e9",
    "text/plain, UTF-16LE, \uFEFFcaf\u00e9, \uFEFFcaf\u00e9",
    "application/json, UTF-8, {\"a\":1}, {\"a\":1}",
    "application/octet-stream, UTF-8, plain, plain",
    "application/octet-stream, UTF-8, <!DOCTYPE html><p>html, html"
  })
  @DisplayName("reads a page in the charset of its header, byte order mark or HTML")
  void charsets(String type, String charset, String body, String text) throws Exception {
    answer =
        line ->
            LoopbackSite.page(
                200, "Content-Type: " + type, body.getBytes(Charset.forName(charset)));
    assertThat(fetch("/").text("content")).isEqualTo(text);
  }

  @Test
  @DisplayName("tolerates a wrong charset and bytes that are invalid in it")
  void wrongCharset() throws Exception {
    for (String type :
        List.of("text/html; charset=utf-16", "text/plain; charset=\"\u0001", "text/html")) {
      byte[] odd = {'<', 'p', '>', (byte) 0xFF, (byte) 0xC3, (byte) 0x28, 0, (byte) 0xED};
      answer = line -> LoopbackSite.page(200, "Content-Type: " + type, odd);
      assertThat(fetch("/").text("status")).as(type).isEqualTo("completed");
    }
  }

  private static byte[] compressed(boolean gzip, boolean header) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var to =
        gzip
            ? new GZIPOutputStream(out)
            : new DeflaterOutputStream(out, new Deflater(9, !header))) {
      to.write("<p>small</p>".getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  @Test
  @DisplayName("decompresses gzip and both kinds of deflate, and refuses other codings")
  void codings() throws Exception {
    byte[][] bodies = {compressed(true, true), compressed(false, true), compressed(false, false)};
    String[] names = {"gzip", "deflate", "deflate"};
    for (int i = 0; i < names.length; i++) {
      String headers = "Content-Type: text/html\r\nContent-Encoding: " + names[i];
      byte[] body = bodies[i];
      answer = line -> LoopbackSite.page(200, headers, body);
      assertThat(fetch("/").text("content")).isEqualTo("small");
    }
    answer =
        line ->
            LoopbackSite.page(200, "Content-Type: text/html\r\nContent-Encoding: br", bodies[0]);
    assertFailed(fetch("/"), "The page answered in a compression that was not asked for.");
    answer =
        line ->
            LoopbackSite.page(
                200, "Content-Type: text/html\r\nContent-Encoding: gzip", new byte[9]);
    assertFailed(fetch("/"), "The page answered in a compression that cannot be read.");
  }

  @Test
  @DisplayName("refuses a page that is too large, as sent or as decompressed")
  void tooLarge() throws Exception {
    String tooLargeMessage = "The page answered with more than 5242880 bytes.";
    answer =
        line ->
            LoopbackSite.page(
                200,
                "Content-Type: text/html\r\nContent-Encoding: gzip",
                LoopbackSite.bomb(64 << 20));
    assertFailed(fetch("/bomb"), tooLargeMessage);
    answer =
        line ->
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999999999\r\n\r\nx"
                .getBytes(StandardCharsets.UTF_8);
    assertFailed(fetch("/announced"), tooLargeMessage);
    byte[] huge = new byte[9 << 20];
    answer =
        line -> {
          byte[] page = LoopbackSite.page(200, "Content-Type: text/plain", huge);
          return new String(page, StandardCharsets.ISO_8859_1)
              .replaceFirst("Content-Length: \\d+\r\n", "")
              .getBytes(StandardCharsets.ISO_8859_1);
        };
    assertFailed(fetch("/huge"), tooLargeMessage);
  }

  @Test
  @DisplayName("reads a page of nothing but tags in bounded time")
  void tags() throws Exception {
    for (String tag : List.of("<p>", "<b><p>", "<a href=x><div>", "<table>", "<", "&amp;<i id=")) {
      answer =
          line -> LoopbackSite.page("text/html", "seen" + tag.repeat((4 << 20) / tag.length()));
      assertThat(fetch("/").text("status")).as(tag).isEqualTo("completed");
    }
  }

  @Test
  @DisplayName("follows at most five redirects, and checks each address")
  void redirects() throws Exception {
    answer =
        line ->
            line.contains("/end")
                ? LoopbackSite.page("text/plain", "there")
                : LoopbackSite.redirect(line.contains("/5") ? "/end" : "/5");
    Json.Obj result = fetch("/start");
    assertThat(result.text("content")).isEqualTo("there");
    assertThat(result.text("url")).isEqualTo(site.at("/end").toString());
    answer = line -> LoopbackSite.redirect("/again");
    assertFailed(fetch("/loop"), "The page redirected more than 5 times.");
    assertThat(site.requests()).hasSize(3 + 6);
    for (String odd :
        List.of("file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1", "data:,x")) {
      answer = line -> LoopbackSite.redirect(odd);
      assertFailed(fetch("/"), "The page has an address that is not http or https.");
    }
    answer = line -> LoopbackSite.redirect("http://user:pass@127.0.0.1/");
    assertFailed(fetch("/"), "The page has a user name or a password in its address.");
    answer = line -> LoopbackSite.redirect("http://[bad");
    assertFailed(fetch("/"), "The page redirects to a malformed address.");
    answer = line -> LoopbackSite.page(302, "X-A: b", new byte[0]);
    assertFailed(fetch("/"), "The page redirects without a Location header.");
  }

  @Proves({"plugin.web-fetch", "plugins.other.web-fetch"})
  @Test
  @DisplayName(
      "Rows 6 allowed_domains, blocked_domains: reads pages of allowed domains only, also after"
          + " redirects")
  void domains() throws Exception {
    answer =
        line ->
            line.contains("/out")
                ? LoopbackSite.redirect(site.at("/in").toString().replace("127.0.0.1", "localhost"))
                : LoopbackSite.page("text/plain", "in");
    Json.Obj only = Json.object().put("allowed_domains", Json.array(Json.of("127.0.0.1"))).build();
    assertThat(fetch(call("/in"), only, List.of(), FakeChain.of()).text("content")).isEqualTo("in");
    String refused = "The page is of a domain that this request does not allow.";
    assertFailed(fetch(call("/out"), only, List.of(), FakeChain.of()), refused);
    Json.Obj blocked =
        Json.object().put("blocked_domains", Json.array(Json.of("127.0.0.1/in"))).build();
    assertFailed(fetch(call("/in"), blocked, List.of(), FakeChain.of()), refused);
    assertThat(site.requests()).hasSize(2);
  }

  @Proves({"plugin.web-fetch", "plugins.other.web-fetch"})
  @Test
  @DisplayName(
      "Row 6 max_content_tokens: cuts a page after max_content_tokens, between characters, and"
          + " marks the cut")
  void cut() throws Exception {
    answer = line -> LoopbackSite.page("text/plain; charset=utf-8", "\u20ac".repeat(1_000));
    Json.Obj result =
        fetch(
            call("/"),
            Json.object().put("max_content_tokens", 10).build(),
            List.of(),
            FakeChain.of());
    assertThat(result.text("content")).isEqualTo("\u20ac".repeat(13) + " [...]");
  }

  @Proves({"plugin.web-fetch", "plugins.other.web-fetch", "plugins.loop.web_fetch"})
  @Test
  @DisplayName(
      "Row 6 max_uses: fetches at most max_uses pages for a request, and never more than 50")
  void uses() throws Exception {
    Json.Obj once = Json.object().put("max_uses", 1).build();
    assertFailed(
        fetch(call("/"), once, List.of(Json.NULL), FakeChain.of()),
        "The page was not fetched: a request may fetch at most 1 page.");
    Json.Obj manyUses = Json.object().put("max_uses", 1_000).build();
    assertFailed(
        fetch(call("/"), manyUses, Collections.nCopies(50, Json.NULL), FakeChain.of()),
        "The page was not fetched: a request may fetch at most 50 pages.");
    assertThat(site.requests()).isEmpty();
    assertThat(
            fetch(call("/"), manyUses, Collections.nCopies(49, Json.NULL), FakeChain.of())
                .text("status"))
        .isEqualTo("completed");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410, 429, 500, 503, 304})
  @DisplayName("reports the status of a response that is not a page")
  void statuses(int status) throws Exception {
    answer = line -> LoopbackSite.page(status, "Content-Type: text/html", new byte[0]);
    assertFailed(fetch("/"), "The page answered with status " + status + ".");
  }

  @Test
  @DisplayName("reports a page that it cannot read, and an address that is malformed")
  void unreadable() throws Exception {
    answer = line -> LoopbackSite.page("image/png", "x");
    assertFailed(fetch("/"), "The page is of a type that cannot be read: image/png.");
    answer = line -> LoopbackSite.page("application/pdf", "%PDF-1.7 no more");
    assertFailed(fetch("/"), "The page is no PDF document that can be read.");
    answer = line -> "SSH-2.0\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    assertFailed(fetch("/"), "The page answered with something that is not HTTP.");
    for (String odd : List.of("http://a b/", "ht!tp://x/", "http://")) {
      assertFailed(
          fetch(Json.object().put("url", odd).build(), Json.Obj.EMPTY, List.of(), FakeChain.of()),
          "The page has an address that cannot be read.");
    }
    assertFailed(
        fetch(
            Json.object().put("url", "/relative").build(),
            Json.Obj.EMPTY,
            List.of(),
            FakeChain.of()),
        "The page has an address that is not http or https.");
  }

  @Test
  @DisplayName("reveals nothing about an address that the transport refuses")
  void refusedAddress() throws Exception {
    var refusing =
        new WebClient(
            new Transport() {
              @Override
              public Response send(Request request) throws IOException {
                throw new AddressRefusedException("10.1.2.3 is private");
              }

              @Override
              public void close() {}
            });
    var result =
        (Json.Obj)
            new WebFetchTool(refusing, new PageText(), WebFetchTool.LIMITS)
                .run(
                    new ServerTool.Invocation(
                        call("/"), Json.Obj.EMPTY, Given.request("acme/one", "Read it.")),
                    FakeChain.of());
    assertFailed(result, "The page is not at a public address, or its port is not allowed.");
  }

  @Test
  @DisplayName("abandons a page when the time is over or the request is cancelled")
  void slow() throws Exception {
    var outOfTime =
        new FakeChain(
            request -> {
              throw new AssertionError("no model is asked");
            });
    outOfTime.remaining(Duration.ZERO);
    assertFailed(fetch(call("/"), Json.Obj.EMPTY, List.of(), outOfTime), "The page took too long.");
    var cancellation = new Cancellation();
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    var cancelled =
        new FakeChain(
            request -> {
              throw new AssertionError("no model is asked");
            },
            cancellation);
    assertFailed(
        fetch(call("/"), Json.Obj.EMPTY, List.of(), cancelled),
        "The page was given up: the request was cancelled.");
  }

  @Test
  @DisplayName("reports that the gateway has no transport for web pages")
  void unusable() {
    var tool = new WebFetchProvider().tools().getFirst();
    assertThat(tool.unusableReason(Json.Obj.EMPTY))
        .isEqualTo("cannot be run: this gateway was given no transport for web pages");
    assertThat(tool().unusableReason(Json.Obj.EMPTY)).isNull();
    assertThatThrownBy(
            () ->
                tool()
                    .run(
                        new ServerTool.Invocation(
                            Json.Obj.EMPTY, Json.Obj.EMPTY, Given.request("acme/one", "Read it.")),
                        FakeChain.of()))
        .isInstanceOf(ServerTool.ToolException.class);
  }
}
