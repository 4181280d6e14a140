package io.strowger.plugins.fileparser;

import io.strowger.plugins.pdf.PdfText;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replaces PDF documents with their text.
 *
 * @param requestedEngine the engine that the entry names; null when it names none
 * @param ocr the OCR engine; null when none is configured
 * @param web fetches files by their address; null when files are not fetched
 */
record FileParser(
    @Nullable String requestedEngine,
    PdfText pdfText,
    @Nullable OcrEngine ocr,
    @Nullable WebClient web)
    implements Interceptor {
  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    var models = new FileModels(request, chain);
    String engine = requestedEngine == null ? defaultEngine(models) : requestedEngine;
    if (engine.equals(FileParserProvider.NATIVE)) {
      return chain.proceed(request);
    }
    if (engine.equals(FileParserProvider.OCR) && ocr == null) {
      throw ocrNotConfigured(request);
    }
    boolean acceptsImages = engine.equals(FileParserProvider.OCR) && models.acceptImages();
    var parsing = new FileParsing(this, engine, acceptsImages, chain);
    List<Message> messages = parsing.apply(request);
    if (messages == request.messages()) {
      return chain.proceed(request);
    }
    if (parsing.files() > 0) {
      chain.recordStage(
          new TraceEntry.Stage("plugin", "file-parser", parsing.summary(), parsing.data()));
    }
    parsing.annotations().forEach(chain::cite);
    return chain.proceed(request.toBuilder().messages(messages).build());
  }

  private String defaultEngine(FileModels models) {
    return models.acceptFiles()
        ? FileParserProvider.NATIVE
        : ocr == null ? FileParserProvider.FREE : FileParserProvider.OCR;
  }

  private static GatewayException ocrNotConfigured(InferenceRequest request) {
    JsonPointer at = JsonPointer.ROOT.child("plugins");
    for (int i = 0; i < request.plugins().size(); i++) {
      if (request.plugins().get(i).id().equals("file-parser")) {
        at = at.child(i).child("pdf").child("engine");
      }
    }
    return GatewayError.of(
            ErrorCode.INVALID_REQUEST,
            List.of(
                new Problem(
                    at,
                    "cannot be "
                        + FileParserProvider.OCR
                        + " here: the configuration of this gateway has no files.ocr",
                    "")))
        .toException();
  }

  /** Returns the OCR engine; throws NullPointerException when none is configured. */
  OcrEngine requireOcr() {
    return Objects.requireNonNull(ocr, "no OCR engine");
  }
}
