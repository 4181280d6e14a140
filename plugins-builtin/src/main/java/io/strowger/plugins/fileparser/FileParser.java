package io.strowger.plugins.fileparser;

import io.strowger.plugins.pdf.PdfText;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
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

  /**
   * Determines whether the models of a request accept files or images. The engine resolves model
   * names, which may be aliases or routers, and applies the endpoint rules: each name is tested by
   * asking whether any endpoint can serve the request with it.
   */
  private record FileModels(InferenceRequest request, Interceptor.Chain chain) {
    private static final Part SAMPLE_IMAGE =
        new Part.Image(Json.of("data:image/png;base64,"), Json.Obj.EMPTY, null);

    /**
     * Returns whether every named model accepts the files. A model that cannot serve the request
     * even without the files is ignored; if that holds for all models, this returns true, since
     * reading the files would cost money and change nothing.
     */
    boolean acceptFiles() {
      List<Message> withoutFiles = replaceFiles(null);
      return request.models().stream()
          .allMatch(model -> serves(model, request.messages()) || !serves(model, withoutFiles));
    }

    /** Returns whether every named model accepts images in place of the files. */
    boolean acceptImages() {
      List<Message> withImages = replaceFiles(SAMPLE_IMAGE);
      return !request.models().isEmpty()
          && request.models().stream().allMatch(model -> serves(model, withImages));
    }

    private boolean serves(ModelRef model, List<Message> messages) {
      return chain.canServe(request.toBuilder().models(List.of(model)).messages(messages).build());
    }

    private List<Message> replaceFiles(@Nullable Part replacement) {
      var messages = new ArrayList<Message>();
      for (Message message : request.messages()) {
        messages.add(message.withParts(replaceFiles(message.parts(), replacement)));
      }
      return List.copyOf(messages);
    }

    private static List<Part> replaceFiles(List<Part> parts, @Nullable Part replacement) {
      var newParts = new ArrayList<Part>();
      for (Part part : parts) {
        if (part instanceof Part.ToolResult result) {
          newParts.add(
              new Part.ToolResult(
                  result.callId(),
                  replaceFiles(result.content(), replacement),
                  Message.ContentForm.LIST,
                  result.isError(),
                  result.extras(),
                  null));
        } else if (!(part instanceof Part.File)) {
          newParts.add(part);
        } else if (replacement != null) {
          newParts.add(replacement);
        }
      }
      return List.copyOf(newParts);
    }
  }
}
