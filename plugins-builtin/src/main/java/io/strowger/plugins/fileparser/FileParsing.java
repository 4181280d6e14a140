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
  private static final PageText PAGE_TEXT = new PageText();

  private final FileParser parser;
  private final String engine;
  private final boolean acceptsImages;
  private final Interceptor.Chain chain;
  private final FileAnnotations knownAnnotations = new FileAnnotations();
  private final List<Json.Obj> annotations = new ArrayList<>();
  // contents read in this request, by hash
  private final Map<String, Json.Arr> parsedByHash = new HashMap<>();
  private JsonPointer messagePointer =
      JsonPointer.ROOT; // location of the current message, for problems
  private int examined; // file parts examined so far, readable or not
  private int files;
  private long bytes; // of all files
  private int reusedFiles;
  private int pages;
  private int forwardedImages; // images passed to the model

  /**
   * @param acceptsImages whether the models accept images
   */
  FileParsing(FileParser parser, String engine, boolean acceptsImages, Interceptor.Chain chain) {
    this.parser = parser;
    this.engine = engine;
    this.acceptsImages = acceptsImages;
    this.chain = chain;
  }

  /** Returns the messages with files replaced by text; the same list when nothing was read. */
  List<Message> apply(InferenceRequest request) {
    List<Message> messages = request.messages();
    boolean isItemList = request.dialect() == Dialect.RESPONSES; // several items may be one message
    JsonPointer listPointer = JsonPointer.ROOT.child(isItemList ? "input" : "messages");
    List<Message> messagesWithoutAnnotations = knownAnnotations.extractFrom(messages);
    var result = new ArrayList<Message>(messagesWithoutAnnotations.size());
    boolean hasChanged = messagesWithoutAnnotations != messages;
    for (int i = 0; i < messagesWithoutAnnotations.size(); i++) {
      Message message = messagesWithoutAnnotations.get(i);
      messagePointer = isItemList ? listPointer : listPointer.child(i);
      List<Part> parts = replaceInParts(message.parts());
      hasChanged |= parts != message.parts();
      result.add(parts == message.parts() ? message : message.withParts(parts));
    }
    return hasChanged ? List.copyOf(result) : messages;
  }

  private List<Part> replaceInParts(List<Part> parts) {
    var result = new ArrayList<Part>(parts.size());
    boolean hasChanged = false;
    for (Part part : parts) {
      List<Part> replacements = replaceInPart(part);
      hasChanged |= replacements.size() != 1 || replacements.getFirst() != part;
      result.addAll(replacements);
    }
    return hasChanged ? List.copyOf(result) : parts;
  }

  private List<Part> replaceInPart(Part part) {
    if (part instanceof Part.ToolResult result) {
      List<Part> content = replaceInParts(result.content());
      return content == result.content()
          ? List.of(part)
          : List.of(
              new Part.ToolResult(
                  result.callId(),
                  content,
                  Message.ContentForm.LIST,
                  result.isError(),
                  result.extras(),
                  null));
    }
    FileSource source = part instanceof Part.File file ? FileSource.of(file) : null;
    return source == null ? List.of(part) : read(part, source);
  }

  private List<Part> read(Part part, FileSource source) {
    if (++examined > MAX_FILES) {
      throw tooManyFiles("at most " + MAX_FILES + " files of a request are read");
    }
    WebClient.Page page = source.base64() == null ? fetch(source) : null;
    byte[] file = page == null ? decode(source) : page.body();
    bytes += file.length;
    int maxBytes = Math.max(MAX_BYTES, parser.pdfText().limits().bytes());
    if (bytes > maxBytes) {
      throw tooManyFiles("at most " + maxBytes + " bytes of files of a request are read");
    }
    String hash = hash(file);
    Json.Arr content = knownAnnotations.content(hash);
    content = content == null ? parsedByHash.get(hash) : content;
    if (content != null) {
      files++;
      reusedFiles++;
      return modelParts(source, content);
    }
    content = page == null || PageText.isPdf(page) ? parse(source, file) : pageContent(page);
    if (content == null) {
      return List.of(part); // not readable here; kept for models that accept the file
    }
    files++;
    parsedByHash.put(hash, content);
    annotations.add(FileAnnotations.of(hash, source.name(), content));
    return modelParts(source, content);
  }

  private byte[] decode(FileSource source) {
    try {
      return Base64.getDecoder().decode(withoutWhitespace(Objects.requireNonNull(source.base64())));
    } catch (IllegalArgumentException e) {
      throw invalid(source, "is not valid base64");
    }
  }

  /** Removes line breaks and spaces, which encoders of RFC 2045 write. */
  private static String withoutWhitespace(String base64) {
    boolean hasLineBreaks = base64.indexOf('\n') >= 0 || base64.indexOf('\r') >= 0;
    return hasLineBreaks || base64.indexOf(' ') >= 0
        ? base64.replaceAll("[\\r\\n\\t ]", "")
        : base64;
  }

  private WebClient.Page fetch(FileSource source) {
    WebClient web = parser.web();
    if (web == null) {
      throw invalid(
          source, "is at an address, and this gateway fetches no files: send it as a data URL");
    }
    PdfText.Limits pdfLimits = parser.pdfText().limits();
    var limits = new WebClient.Limits(pdfLimits.time(), pdfLimits.bytes(), MAX_REDIRECTS);
    try {
      URI address = URI.create(Objects.requireNonNull(source.address()));
      return web.get(address, uri -> {}, limits, chain);
    } catch (WebException e) {
      throw invalid(source, "could not be fetched: the site " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw invalid(source, "could not be fetched: its address cannot be read");
    }
  }

  /** Returns the content of a web page or text file; null when it is not text or is too long. */
  private Json.@Nullable Arr pageContent(WebClient.Page page) {
    try {
      String text = PAGE_TEXT.of(page, chain).text();
      if (text.length() > parser.pdfText().limits().characters()) {
        return null;
      }
      return Json.array(text(text));
    } catch (WebException e) {
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

  private Json.Arr parse(FileSource source, byte[] pdf) {
    try {
      return engine.equals(FileParserProvider.OCR)
          ? recognize(source, pdf)
          : extractText(source, pdf);
    } catch (PdfText.Unreadable e) {
      throw unreadable(source, e);
    }
  }

  private Json.Arr extractText(FileSource source, byte[] pdf) throws PdfText.Unreadable {
    PdfText.Extracted extracted =
        parser.pdfText().read(pdf, chain::remaining, chain.cancellation()::isCancelled);
    if (!extracted.isComplete()) {
      throw tooManyPages(source);
    }
    pages += extracted.pages().size();
    return Json.array(text(extracted.text()));
  }

  /** Recognizes a document by OCR; holds the money for all pages before the service is asked. */
  private Json.Arr recognize(FileSource source, byte[] pdf) throws PdfText.Unreadable {
    int pageCount =
        parser.pdfText().countPages(pdf, chain::remaining, chain.cancellation()::isCancelled);
    if (pageCount > parser.pdfText().limits().pages()) {
      throw tooManyPages(source);
    }
    Hold hold = chain.hold(price(pageCount), "OCR of " + pageCount + " pages");
    boolean isSettled = false;
    try {
      OcrEngine.Recognition recognized =
          parser.requireOcr().recognize(pdf, acceptsImages ? MAX_IMAGES : 0, chain);
      // bill at most the pages of the document, whatever the service reports
      int billedPages = Math.min(recognized.pages(), pageCount);
      hold.settle(price(billedPages));
      isSettled = true;
      pages += billedPages;
      var content = new ArrayList<Json>();
      content.add(text(recognized.text()));
      recognized.images().stream().limit(MAX_IMAGES).map(FileParsing::image).forEach(content::add);
      return Json.array(content);
    } catch (WebException e) {
      throw GatewayError.of(
              ErrorCode.PROVIDER_ERROR,
              source.title() + " could not be read by OCR: the service " + e.getMessage())
          .toException();
    } finally {
      if (!isSettled) {
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
  private List<Part> modelParts(FileSource source, Json.Arr content) {
    var text = new StringBuilder();
    var imageParts = new ArrayList<Part>();
    for (int i = 0; i < content.size(); i++) {
      if (content.get(i) instanceof Json.Obj item) {
        String itemText = item.text("text");
        text.append(itemText == null || text.isEmpty() ? "" : "\n")
            .append(itemText == null ? "" : itemText);
        Json.Obj image = item.object("image_url");
        if (image != null
            && image.get("url") instanceof Json.Str url
            && acceptsImages
            && forwardedImages < MAX_IMAGES) {
          forwardedImages++;
          imageParts.add(new Part.Image(url, Json.Obj.EMPTY, null));
        }
      }
    }
    String name = source.name();
    String body = text.isEmpty() ? "[no text was found in this file]" : text.toString();
    var parts = new ArrayList<Part>();
    parts.add(new Part.Text((name == null ? "File:" : "File " + name + ":") + "\n" + body));
    parts.addAll(imageParts);
    return parts;
  }

  private static GatewayException invalid(FileSource source, String reason) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, source.title() + " " + reason).toException();
  }

  private GatewayException tooManyFiles(String reason) {
    return GatewayError.of(
            ErrorCode.INVALID_REQUEST, List.of(new Problem(messagePointer, reason, "")))
        .toException();
  }

  private GatewayException tooManyPages(FileSource source) {
    PdfText.Limits limits = parser.pdfText().limits();
    return invalid(
        source,
        "has more than " + limits.pages() + " pages or " + limits.characters() + " characters");
  }

  private static GatewayException unreadable(FileSource source, PdfText.Unreadable e) {
    String message = source.title() + " " + e.getMessage();
    return switch (e.reason()) {
      case DAMAGED, ENCRYPTED, TOO_LARGE -> invalid(source, e.getMessage());
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
        .put("files_read_before", reusedFiles)
        .put("pages", pages)
        .put("images", forwardedImages)
        .build();
  }
}
