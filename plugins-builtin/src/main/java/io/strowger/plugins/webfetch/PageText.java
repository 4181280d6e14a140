package io.strowger.plugins.webfetch;

import io.strowger.plugins.pdf.PdfText;
import io.strowger.plugins.webclient.WebClient.Page;
import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.plugin.Interceptor.Chain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the title and main text of a page for a model. Supports HTML, PDF, JSON and other text.
 * Safe on any thread.
 */
public final class PageText {
  private static final Pattern CHARSET =
      Pattern.compile("charset\\s*=\\s*[\"']?([A-Za-z0-9_.:+-]{1,40})", Pattern.CASE_INSENSITIVE);
  private static final byte[] PDF = "%PDF-".getBytes(StandardCharsets.US_ASCII);
  private static final int INSPECTED_BYTES = 1024;

  private static final int MAX_CONCURRENT_PDFS = 2;

  private static final List<Charset> BOM_CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);

  // created at first use
  private final AtomicReference<@Nullable PdfText> pdfReader = new AtomicReference<>();

  /**
   * The title and text of a page.
   *
   * @param title the title; empty when there is none
   */
  @SuppressWarnings("AvoidCommonTypeNames") // used as PageText.Readable
  public record Readable(String title, String text) {}

  /**
   * @throws WebException when the page cannot be read as text
   */
  public Readable of(Page page, Chain chain) throws WebException {
    String type = type(page);
    byte[] body = page.body();
    if (isPdf(page)) {
      return pdf(body, chain);
    }
    if (type.equals("text/html") || type.equals("application/xhtml+xml")) {
      return html(page);
    }
    if (isText(type) || isUntyped(type) && !looksBinary(body)) {
      return isUntyped(type) && looksLikeHtml(body)
          ? html(page)
          : new Readable("", new String(body, charset(page)).strip());
    }
    throw new WebException("is of a type that cannot be read: " + (type.isEmpty() ? "none" : type));
  }

  private static String type(Page page) {
    return page.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a page is a PDF document, by its content type or its beginning. */
  public static boolean isPdf(Page page) {
    return type(page).equals("application/pdf") || startsWith(page.body(), PDF);
  }

  private static boolean isUntyped(String type) {
    return type.isEmpty() || type.equals("application/octet-stream");
  }

  private static boolean isText(String type) {
    return type.startsWith("text/")
        || type.endsWith("+json")
        || type.endsWith("+xml")
        || List.of(
                "application/json",
                "application/xml",
                "application/javascript",
                "application/x-javascript",
                "application/yaml",
                "application/x-yaml",
                "application/x-ndjson",
                "application/toml")
            .contains(type);
  }

  private static boolean startsWith(byte[] body, byte[] prefix) {
    return body.length >= prefix.length
        && Arrays.equals(body, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static boolean looksBinary(byte[] body) {
    for (int i = 0; i < Math.min(body.length, INSPECTED_BYTES); i++) {
      if (body[i] == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean looksLikeHtml(byte[] body) {
    String beginning =
        new String(body, 0, Math.min(body.length, INSPECTED_BYTES), StandardCharsets.ISO_8859_1);
    String text = beginning.stripLeading().toLowerCase(Locale.ROOT);
    return text.startsWith("<!doctype html") || text.startsWith("<html");
  }

  private static Readable html(Page page) throws WebException {
    Charset charset = headerCharset(page.contentType());
    try {
      return HtmlText.of(
          new ByteArrayInputStream(page.body(), 0, HtmlText.boundedLength(page.body())),
          charset == null ? null : charset.name(),
          page.uri().toString());
    } catch (IOException | IllegalArgumentException e) {
      throw new WebException("is HTML that cannot be read");
    }
  }

  /** Returns the charset; a byte order mark takes precedence over the header. */
  private static Charset charset(Page page) {
    for (Charset candidate : BOM_CHARSETS) {
      if (startsWith(page.body(), "\uFEFF".getBytes(candidate))) {
        return candidate;
      }
    }
    Charset fromHeader = headerCharset(page.contentType());
    return fromHeader == null ? StandardCharsets.UTF_8 : fromHeader;
  }

  /**
   * Returns the charset of the Content-Type header; null when it has none or an unsupported one.
   */
  private static @Nullable Charset headerCharset(String contentType) {
    Matcher matcher = CHARSET.matcher(contentType);
    try {
      return matcher.find() && Charset.isSupported(matcher.group(1))
          ? Charset.forName(matcher.group(1))
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns the PDF reader. It is created at first use, since it loads a font, which would delay
   * startup.
   */
  private PdfText pdfReader() {
    PdfText reader = pdfReader.get();
    if (reader == null) {
      var newReader = new PdfText(PdfText.Limits.DEFAULT, MAX_CONCURRENT_PDFS);
      reader = pdfReader.compareAndSet(null, newReader) ? newReader : pdfReader.get();
    }
    return reader == null ? pdfReader() : reader;
  }

  private Readable pdf(byte[] body, Chain chain) throws WebException {
    try {
      String text =
          pdfReader().read(body, chain::remaining, chain.cancellation()::isCancelled).text();
      return new Readable("", text);
    } catch (PdfText.Unreadable e) {
      throw new WebException(e.getMessage());
    }
  }
}
