package io.strowger.plugins.fileparser;

import io.strowger.plugins.pdf.PdfText;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.plugins.webclient.WebException;
import io.strowger.plugins.webfetch.PageText;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.store.Hold;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the files of one request. Confined to one thread. */
final class FileParsing {
  /** The price of OCR in nanodollars: $2 for 1,000 pages. */
  private static final long NANOS_PER_PAGE = 2_000_000;

  private static final int MAX_IMAGES = 8;
  private static final int MAX_FILES = 20;
  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_REDIRECTS = 3;
  private static final PageText TEXTS = new PageText();

  private final FileParser parser;
  private final String engine;
  private final boolean images;
  private final Interceptor.Chain chain;
  private final FileAnnotations before = new FileAnnotations();
  private final List<Json.Obj> annotations = new ArrayList<>();
  // contents read in this request, by hash
  private final Map<String, Json.Arr> parsed = new HashMap<>();
  private JsonPointer place = JsonPointer.ROOT; // location of the current message, for problems
  private int looked; // file parts examined so far, readable or not
  private int files;
  private long bytes; // of all files
  private int reused;
  private int pages;
  private int forwarded; // images passed to the model

  /**
   * @param images whether the models accept images
   */
  FileParsing(FileParser parser, String engine, boolean images, Interceptor.Chain chain) {
    this.parser = parser;
    this.engine = engine;
    this.images = images;
    this.chain = chain;
  }

  /** Returns the messages with files replaced by text; the same list when nothing was read. */
  List<Message> applied(InferenceRequest request) {
    List<Message> messages = request.messages();
    boolean items = request.dialect() == Dialect.RESPONSES; // several items may be one message
    JsonPointer all = JsonPointer.ROOT.child(items ? "input" : "messages");
    List<Message> rest = before.takenFrom(messages);
    var changed = new ArrayList<Message>(rest.size());
    boolean parsed = rest != messages;
    for (int i = 0; i < rest.size(); i++) {
      Message message = rest.get(i);
      place = items ? all : all.child(i);
      List<Part> parts = parts(message.parts());
      parsed |= parts != message.parts();
      changed.add(parts == message.parts() ? message : message.withParts(parts));
    }
    return parsed ? List.copyOf(changed) : messages;
  }

  private List<Part> parts(List<Part> parts) {
    var changed = new ArrayList<Part>(parts.size());
    boolean any = false;
    for (Part part : parts) {
      List<Part> read = part(part);
      any |= read.size() != 1 || read.getFirst() != part;
      changed.addAll(read);
    }
    return any ? List.copyOf(changed) : parts;
  }

  private List<Part> part(Part part) {
    if (part instanceof Part.ToolResult result) {
      List<Part> content = parts(result.content());
      return content == result.content()
          ? List.of(part)
          : List.of(
              new Part.ToolResult(
                  result.callId(),
                  content,
                  Message.Content.LIST,
                  result.error(),
                  result.extras(),
                  null));
    }
    FileSource source = part instanceof Part.File file ? FileSource.of(file) : null;
    return source == null ? List.of(part) : read(part, source);
  }

  private List<Part> read(Part part, FileSource source) {
    if (++looked > MAX_FILES) {
      throw tooMuch("at most " + MAX_FILES + " files of a request are read");
    }
    WebClient.Page fetched = source.base64() == null ? fetched(source) : null;
    byte[] file = fetched == null ? decoded(source) : fetched.body();
    bytes += file.length;
    int most = Math.max(MAX_BYTES, parser.pdfText().limits().bytes());
    if (bytes > most) {
      throw tooMuch("at most " + most + " bytes of files of a request are read");
    }
    String hash = hash(file);
    Json.Arr content = before.content(hash);
    content = content == null ? parsed.get(hash) : content;
    if (content != null) {
      files++;
      reused++;
      return shown(source, content);
    }
    content = fetched == null || PageText.isPdf(fetched) ? parsed(source, file) : written(fetched);
    if (content == null) {
      return List.of(part); // not readable here; kept for models that accept the file
    }
    files++;
    parsed.put(hash, content);
    annotations.add(FileAnnotations.of(hash, source.name(), content));
    return shown(source, content);
  }

  private byte[] decoded(FileSource source) {
    try {
      return Base64.getDecoder().decode(unbroken(Objects.requireNonNull(source.base64())));
    } catch (IllegalArgumentException e) {
      throw refused(source, "is no base64");
    }
  }

  /** Removes line breaks and spaces, which encoders of RFC 2045 write. */
  private static String unbroken(String base64) {
    boolean broken = base64.indexOf('\n') >= 0 || base64.indexOf('\r') >= 0;
    return broken || base64.indexOf(' ') >= 0 ? base64.replaceAll("[\\r\\n\\t ]", "") : base64;
  }

  private WebClient.Page fetched(FileSource source) {
    WebClient web = parser.web();
    if (web == null) {
      throw refused(
          source, "is at an address, and this gateway fetches no files: send it as a data URL");
    }
    PdfText.Limits most = parser.pdfText().limits();
    var limits = new WebClient.Limits(most.time(), most.bytes(), MAX_REDIRECTS);
    try {
      URI address = URI.create(Objects.requireNonNull(source.address()));
      return web.get(address, uri -> {}, limits, chain);
    } catch (WebException failed) {
      throw refused(source, "could not be fetched: it " + failed.getMessage());
    } catch (IllegalArgumentException malformed) {
      throw refused(source, "could not be fetched: its address cannot be read");
    }
  }

  /** Returns the content of a web page or text file; null when it is not text or is too long. */
  private Json.@Nullable Arr written(WebClient.Page page) {
    try {
      String text = TEXTS.of(page, chain).text();
      if (text.length() > parser.pdfText().limits().characters()) {
        return null;
      }
      return Json.array(text(text));
    } catch (WebException unreadable) {
      return null;
    }
  }

  private static String hash(byte[] pdf) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(pdf));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  private Json.Arr parsed(FileSource source, byte[] pdf) {
    try {
      return engine.equals(FileParserProvider.OCR)
          ? recognized(source, pdf)
          : extracted(source, pdf);
    } catch (PdfText.Unreadable e) {
      throw unreadable(source, e);
    }
  }

  private Json.Arr extracted(FileSource source, byte[] pdf) throws PdfText.Unreadable {
    PdfText.Extracted read =
        parser.pdfText().read(pdf, chain::remaining, chain.cancellation()::isCancelled);
    if (!read.complete()) {
      throw tooManyPages(source);
    }
    pages += read.pages().size();
    return Json.array(text(read.text()));
  }

  /** Recognizes a document by OCR; holds the money for all pages before the service is asked. */
  private Json.Arr recognized(FileSource source, byte[] pdf) throws PdfText.Unreadable {
    int expected =
        parser.pdfText().countPages(pdf, chain::remaining, chain.cancellation()::isCancelled);
    if (expected > parser.pdfText().limits().pages()) {
      throw tooManyPages(source);
    }
    Hold hold = chain.hold(price(expected), "OCR of " + expected + " pages");
    boolean settled = false;
    try {
      OcrEngine.Recognized read = parser.service().recognize(pdf, images ? MAX_IMAGES : 0, chain);
      // bill at most the pages of the document, whatever the service reports
      int billed = Math.min(read.pages(), expected);
      hold.settle(price(billed));
      settled = true;
      pages += billed;
      var content = new ArrayList<Json>();
      content.add(text(read.text()));
      read.images().stream().limit(MAX_IMAGES).map(FileParsing::image).forEach(content::add);
      return Json.array(content);
    } catch (WebException e) {
      throw GatewayError.of(
              ErrorCode.PROVIDER_ERROR,
              source.title() + " could not be read by OCR: the service " + e.getMessage())
          .toException();
    } finally {
      if (!settled) {
        hold.release();
      }
    }
  }

  private static Usd price(int pages) {
    return new Usd(pages * NANOS_PER_PAGE);
  }

  private static Json text(String text) {
    return Json.object().put("type", "text").put("text", text).build();
  }

  private static Json image(String url) {
    return Json.object()
        .put("type", "image_url")
        .put("image_url", Json.object().put("url", url).build())
        .build();
  }

  /** Returns the parts that replace the file in the request. */
  private List<Part> shown(FileSource source, Json.Arr content) {
    var text = new StringBuilder();
    var pictures = new ArrayList<Part>();
    for (int i = 0; i < content.size(); i++) {
      if (content.get(i) instanceof Json.Obj one) {
        String said = one.text("text");
        text.append(said == null || text.isEmpty() ? "" : "\n").append(said == null ? "" : said);
        Json.Obj image = one.object("image_url");
        if (image != null
            && image.get("url") instanceof Json.Str url
            && images
            && forwarded < MAX_IMAGES) {
          forwarded++;
          pictures.add(new Part.Image(url, Json.Obj.EMPTY, null));
        }
      }
    }
    String name = source.name();
    String body = text.isEmpty() ? "[no text was found in this file]" : text.toString();
    var parts = new ArrayList<Part>();
    parts.add(new Part.Text((name == null ? "File:" : "File " + name + ":") + "\n" + body));
    parts.addAll(pictures);
    return parts;
  }

  private static GatewayException refused(FileSource source, String why) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, source.title() + " " + why).toException();
  }

  private GatewayException tooMuch(String why) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, List.of(new Problem(place, why, "")))
        .toException();
  }

  private GatewayException tooManyPages(FileSource source) {
    PdfText.Limits most = parser.pdfText().limits();
    return refused(
        source, "has more than " + most.pages() + " pages or " + most.characters() + " characters");
  }

  private static GatewayException unreadable(FileSource source, PdfText.Unreadable why) {
    String message = source.title() + " " + why.getMessage();
    return switch (why.reason()) {
      case DAMAGED, ENCRYPTED, TOO_LARGE -> refused(source, why.getMessage());
      case TOO_SLOW -> GatewayError.of(ErrorCode.TIMEOUT, message).toException();
      case CANCELLED -> GatewayError.of(ErrorCode.CLIENT_CLOSED_REQUEST).toException();
    };
  }

  /** Returns the annotations of the files read in this request, for the answer. */
  List<Json.Obj> annotations() {
    return annotations;
  }

  int files() {
    return files;
  }

  @Nullable String summary() {
    return "read " + files + (files == 1 ? " file" : " files");
  }

  Json.Obj data() {
    return Json.object()
        .put("engine", engine)
        .put("files", files)
        .put("files_read_before", reused)
        .put("pages", pages)
        .put("images", forwarded)
        .build();
  }
}
