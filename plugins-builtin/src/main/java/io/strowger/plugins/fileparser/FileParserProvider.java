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
import io.strowger.spi.provider.Transports;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns PDF documents into text for models that do not read them: from the document's own text,
 * free of charge, or by an OCR service that the operator configures. Acts on every request with a
 * file part, unless it is switched off. Decision 48.
 *
 * <p>Contract: "Plugins", {@code file-parser}; plugins fact sheet, section 7.
 */
public final class FileParserProvider
    implements PluginProvider.Configurable, PluginProvider.Networked {
  static final String OCR = "mistral-ocr";
  static final String FREE = "cloudflare-ai";
  static final String NATIVE = "native";

  /** An alias of {@link #FREE}. */
  private static final String FREE_ALIAS = "pdf-text";

  private static final List<String> ENGINES = List.of(OCR, FREE, NATIVE, FREE_ALIAS);

  /** The most documents that are read at the same time. */
  private static final int MAX_CONCURRENT = 2;

  /** The {@code pdf} object. */
  public static final Field<Json.Obj> PDF =
      new Field<>(
          "pdf",
          FileParserProvider::pdf,
          Json.Obj.EMPTY,
          "How PDF documents are read; engine names the method. If absent, the model "
              + "reads them if it can; otherwise OCR is used if it is configured, and otherwise"
              + " the document's own text.",
          schema(),
          false);

  /** Setting: the most pages of one document. */
  public static final Field<Long> MAX_PAGES =
      Fields.integer(
          "max_pages",
          1,
          100_000,
          2_000L,
          "The maximum number of pages of a document, from 1 to 100,000.");

  /** Setting: the most bytes of one file. */
  public static final Field<Long> MAX_BYTES =
      Fields.integer(
          "max_bytes",
          1,
          1 << 30,
          32L << 20,
          "The maximum size of a file in bytes, from 1 to 1,073,741,824.");

  /** Setting: the most time for one file, in milliseconds. */
  public static final Field<Long> TIMEOUT_MS =
      Fields.integer(
          "timeout_ms",
          1,
          600_000,
          30_000L,
          "The time limit in milliseconds for reading a document, and for fetching a file"
              + " from its address, from 1 to 600,000.");

  /** Setting: the service behind {@code mistral-ocr}. */
  static final Field<List<OcrAccount>> OCR_SERVICES =
      new Field<>(
          "ocr",
          OcrAccount::read,
          List.of(),
          "The OCR service, at most one; its members are url (without /v1/ocr), api_key "
              + "and model.",
          OcrAccount.schema(),
          true);

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(MAX_PAGES, MAX_BYTES, TIMEOUT_MS, OCR_SERVICES), false);

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("file-parser")
          .order(250) // before moderation, which checks the text that was read
          .fields(PDF)
          .trait(Descriptor.Trait.READS_FILES)
          .build();

  private final @Nullable Transport files;
  private final @Nullable Transport services;
  private final PdfText pdfText;
  private final @Nullable OcrEngine ocr;

  /** Creates a provider that reads only files in the request and has no OCR service. */
  public FileParserProvider() {
    this(null, null);
  }

  /**
   * @param files fetches files from addresses that callers give, so it must connect to public
   *     addresses only; null refuses such files
   * @param services connects to the OCR service; null when it cannot be reached
   */
  public FileParserProvider(@Nullable Transport files, @Nullable Transport services) {
    this(files, services, new PdfText(PdfText.Limits.DEFAULT, MAX_CONCURRENT), null);
  }

  /**
   * @param files fetches files from public addresses; null refuses such files
   * @param services connects to OCR services; null when they cannot be reached
   * @param ocr the engine of {@code mistral-ocr}, unless the settings name a service
   */
  public FileParserProvider(
      @Nullable Transport files, @Nullable Transport services, OcrEngine ocr) {
    this(files, services, new PdfText(PdfText.Limits.DEFAULT, MAX_CONCURRENT), ocr);
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
      problems.report("", "must be an object", member);
      return Json.Obj.EMPTY;
    }
    Json engine = options.get("engine");
    if (engine != null && !isEngine(engine)) {
      problems.report("/engine", "must be one of " + String.join(", ", ENGINES), engine);
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
  public PluginProvider withTransports(Transports transports) {
    return new FileParserProvider(transports.web(), transports.providers());
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
    var limits =
        new PdfText.Limits(
            Math.toIntExact(settings.get(MAX_BYTES)),
            Math.toIntExact(settings.get(MAX_PAGES)),
            PdfText.Limits.DEFAULT.characters(),
            Duration.ofMillis(settings.get(TIMEOUT_MS)));
    List<OcrAccount> accounts = settings.get(OCR_SERVICES);
    OcrEngine engine = accounts.isEmpty() ? ocr : new HttpOcr(web(services), accounts.getFirst());
    return new FileParserProvider(files, services, pdfText.with(limits), engine);
  }

  private static @Nullable WebClient web(@Nullable Transport transport) {
    return transport == null ? null : new WebClient(transport);
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    String engine = config.get(PDF).text("engine");
    return new FileParser(FREE_ALIAS.equals(engine) ? FREE : engine, pdfText, ocr, web(files));
  }
}
