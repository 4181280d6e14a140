package io.strowger.plugins.fileparser;

import io.strowger.plugins.pdf.PdfText;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns PDF documents into text for models that do not read them: with PDF's own text for nothing,
 * or with a service that recognizes text in pictures of pages, which an operator sets up. Acts on
 * every request with a file part, unless it is switched off. Decision 48.
 *
 * <p>Contract: "Plugins", {@code file-parser}; plugins fact sheet, section 7.
 */
public final class FileParserProvider implements PluginProvider.Configurable {
  static final String OCR = "mistral-ocr";
  static final String FREE = "cloudflare-ai";
  static final String NATIVE = "native";

  /** Another name of {@link #FREE}. */
  private static final String OLD_FREE = "pdf-text";

  private static final List<String> ENGINES = List.of(OCR, FREE, NATIVE, OLD_FREE);

  /** Documents read at the same time. */
  private static final int AT_ONCE = 2;

  /** The {@code pdf} object. */
  public static final Field<Json.Obj> PDF =
      new Field<>(
          "pdf",
          FileParserProvider::pdf,
          Json.Obj.EMPTY,
          "How PDF documents are read: engine names the way; absent: what the model can do itself,"
              + " else OCR where it is set up, else the document's own text.",
          schema(),
          false);

  /** Address of the service behind {@code mistral-ocr}, without {@code /v1/ocr}. */
  public static final Field<String> OCR_URL =
      Fields.text("ocr_url", null, "Address of the OCR service, without /v1/ocr.");

  public static final Field<String> OCR_KEY =
      new Field<>(
          "ocr_key",
          (member, problems) -> {
            if (member instanceof Json.Str key && !key.text().isBlank()) {
              return key.text();
            }
            problems.problem("", "must be a text", member);
            return "";
          },
          null,
          "Credential of the OCR service.",
          Json.object().put("type", "string").build(),
          true);

  public static final Field<String> OCR_MODEL =
      Fields.text("ocr_model", "mistral-ocr-latest", "Model the OCR service is asked for.");

  private static final ConfigSchema SETTINGS = ConfigSchema.of(OCR_URL, OCR_KEY, OCR_MODEL);

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("file-parser")
          .order(250) // in front of moderation, which looks through what was read
          .fields(PDF)
          .trait(Descriptor.Trait.READS_FILES)
          .build();

  private final @Nullable Transport files;
  private final @Nullable Transport services;
  private final PdfText pdfText;
  private final @Nullable OcrEngine ocr;

  /** Reads files that come in the request, and knows no OCR service. */
  public FileParserProvider() {
    this(null, null);
  }

  /**
   * @param files fetches files by their address, which callers give: one that connects to public
   *     addresses only; null: such files are refused
   * @param services reaches the OCR service; null: it cannot be reached
   */
  public FileParserProvider(@Nullable Transport files, @Nullable Transport services) {
    this(files, services, new PdfText(PdfText.Limits.DEFAULT, AT_ONCE), null);
  }

  /**
   * @param files as above
   * @param services as above
   * @param ocr what {@code mistral-ocr} stands for, unless the settings name a service
   */
  public FileParserProvider(
      @Nullable Transport files, @Nullable Transport services, OcrEngine ocr) {
    this(files, services, new PdfText(PdfText.Limits.DEFAULT, AT_ONCE), ocr);
  }

  private FileParserProvider(
      @Nullable Transport files,
      @Nullable Transport services,
      PdfText pdfText,
      @Nullable OcrEngine ocr) {
    this.files = files;
    this.services = services;
    this.pdfText = pdfText;
    this.ocr = ocr;
  }

  private static Json.Obj pdf(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Obj options)) {
      problems.problem("", "must be an object", member);
      return Json.Obj.EMPTY;
    }
    Json engine = options.get("engine");
    if (engine != null && !isEngine(engine)) {
      problems.problem("/engine", "must be one of " + String.join(", ", ENGINES), engine);
    }
    return options.detached();
  }

  private static boolean isEngine(Json engine) {
    return engine instanceof Json.Str str && ENGINES.contains(str.text());
  }

  private static Json.Obj schema() {
    var engine =
        Json.object()
            .put("type", "string")
            .put("enum", Json.array(ENGINES.stream().map(Json::of).toList()));
    return Json.object()
        .put("type", "object")
        .put("properties", Json.object().put("engine", engine.build()).build())
        .build();
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public ConfigSchema settings() {
    return SETTINGS;
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    if (!settings.isSet(OCR_URL)) {
      if (settings.isSet(OCR_KEY) || settings.isSet(OCR_MODEL)) {
        throw new IllegalArgumentException("must have ocr_url where it has ocr_key or ocr_model");
      }
      return new FileParserProvider(files, services, pdfText, ocr);
    }
    String key = settings.isSet(OCR_KEY) ? settings.get(OCR_KEY) : null;
    var engine = new HttpOcr(web(services), address(settings), key, settings.get(OCR_MODEL));
    return new FileParserProvider(files, services, pdfText, engine);
  }

  private static @Nullable WebClient web(@Nullable Transport transport) {
    return transport == null ? null : new WebClient(transport);
  }

  private static URI address(PluginConfig settings) {
    String given = settings.get(OCR_URL);
    try {
      URI address = URI.create(given);
      if (address.getHost() != null
          && ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must have an http or https address as ocr_url", e);
    }
    throw new IllegalArgumentException("must have an http or https address as ocr_url");
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    String engine = config.get(PDF).text("engine");
    return new FileParser(OLD_FREE.equals(engine) ? FREE : engine, pdfText, ocr, web(files));
  }
}
