package io.strowger.plugins.webfetch;

import io.strowger.plugins.webclient.DomainRules;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.plugins.webclient.WebException;
import io.strowger.plugins.webfetch.PageText.Readable;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code router:web_fetch}: reads a page for a model. For a page that cannot be read the
 * result says why. Plugins fact sheet, section 12.
 *
 * <p>The gateway fetches the page itself, whatever {@code engine} is requested: that costs nothing
 * and does not reveal the address to a third party.
 */
public final class WebFetchTool implements ServerTool {
  /** The tool's type in a request. */
  public static final String TYPE = "router:web_fetch";

  /** Upper limit of pages in one request, whatever the request allows. */
  private static final int MAX_USES = 50;

  /** Limits of one page unless configured: 10 seconds, 5 MiB, 5 redirects. */
  static final WebClient.Limits LIMITS = new WebClient.Limits(Duration.ofSeconds(10), 5 << 20, 5);

  /** The bytes of text counted as one token, as everywhere in the gateway. */
  private static final int BYTES_PER_TOKEN = 4;

  /** The tokens of a page when the request sets no limit. */
  private static final long DEFAULT_TOKENS = 25_000;

  private static final long MAX_TOKENS = 200_000;
  private static final int MAX_TITLE = 500; // characters
  private static final int MAX_SHOWN_URL = 2_000; // characters of an address that cannot be read

  private static final Spec SPEC =
      new Spec(
          TYPE,
          "Fetches a web page or document by its address and returns its title and text.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object()
                      .put(
                          "url",
                          Json.object()
                              .put("type", "string")
                              .put("description", "The address, beginning with https:// or http://")
                              .build())
                      .build())
              .put("required", Json.array(Json.of("url")))
              .build());

  private final @Nullable WebClient web;
  private final PageText pages;
  private final WebClient.Limits limits;

  /**
   * @param web the client; null when this gateway was given no transport for pages
   * @param limits the limits of one page
   */
  WebFetchTool(@Nullable WebClient web, PageText pages, WebClient.Limits limits) {
    this.web = web;
    this.limits = limits;
    this.pages = pages;
  }

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public @Nullable String unusableReason(Json.Obj parameters) {
    return web == null ? "cannot be run: this gateway was given no transport for web pages" : null;
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    String url = call.arguments().text("url");
    if (url == null || url.isBlank()) {
      throw new ToolException("url must be the address of a page, such as https://example.com/");
    }
    try {
      return fetch(url.strip(), call, chain);
    } catch (WebException e) {
      return Json.object()
          .put("url", ShortText.beginning(url.strip(), MAX_SHOWN_URL))
          .put("status", "failed")
          .put("error", "The page " + e.getMessage() + ".")
          .build();
    }
  }

  private Json fetch(String url, Invocation call, Chain chain) throws WebException {
    Json.Obj parameters = call.parameters();
    long maxUses = Math.min(parameters.longValue("max_uses", MAX_USES), MAX_USES);
    if (call.earlierResults().size() >= maxUses) {
      throw new WebException(
          "was not fetched: a request may fetch at most "
              + (maxUses == 1 ? "1 page" : maxUses + " pages"));
    }
    if (web == null) {
      throw new WebException("was not fetched: this gateway has no transport for pages");
    }
    DomainRules rules =
        DomainRules.of(parameters.texts("allowed_domains"), parameters.texts("blocked_domains"));
    WebClient.Page page = web.get(parse(url), uri -> check(uri, rules), limits, chain);
    Readable readable = pages.of(page, chain);
    long tokens = Math.min(parameters.longValue("max_content_tokens", DEFAULT_TOKENS), MAX_TOKENS);
    return Json.object()
        .put("url", page.uri().toString())
        .put("title", ShortText.beginning(readable.title(), MAX_TITLE))
        .put("content", truncate(readable.text(), tokens * BYTES_PER_TOKEN))
        .put("status", "completed")
        .put("retrieved_at", chain.now().truncatedTo(ChronoUnit.MILLIS).toString())
        .build();
  }

  private static void check(URI uri, DomainRules rules) throws WebException {
    if (!rules.allows(uri)) {
      throw new WebException("is of a domain that this request does not allow");
    }
  }

  private static URI parse(String url) throws WebException {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new WebException("has an address that cannot be read");
    }
  }

  /** Truncates the text to this many bytes of UTF-8, between characters, and marks the cut. */
  private static String truncate(String text, long maxBytes) {
    if (text.length() * 3L <= maxBytes) {
      return text;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= maxBytes) {
      return new String(utf8, StandardCharsets.UTF_8);
    }
    int end = (int) maxBytes;
    while (end > 0 && (utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(utf8, 0, end, StandardCharsets.UTF_8) + " [...]";
  }
}
