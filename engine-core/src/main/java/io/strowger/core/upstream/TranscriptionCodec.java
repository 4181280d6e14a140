package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.TranscriptionDecoder;
import io.strowger.core.meter.AudioSize;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UpstreamException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a transcription: its text may be empty, as for silence. Timestamps and other details are
 * passed on unchanged if requested. Embeddings fact sheet, {@code /audio/transcriptions}.
 */
final class TranscriptionCodec implements UnaryCodec<TranscriptionRequest> {
  private static final List<String> VERBOSE_MEMBERS =
      List.of("task", "language", "duration", "segments", "words");

  private final TranscriptionDecoder decoder = new TranscriptionDecoder();

  @Override
  public @Nullable TranscriptionRequest decode(
      Json.Obj members, @Nullable UploadedFile upload, Problems problems) {
    return decoder.decode(members, upload, problems);
  }

  @Override
  public CheckedAnswer check(UnaryAnswer answer, TranscriptionRequest request, Pricing pricing)
      throws UpstreamException {
    Json.Obj source = answer.document();
    if (!(source.get("text") instanceof Json.Str text)) {
      throw UnaryCodec.protocolFailure("an answer without a text");
    }
    Json.Obj.Builder document = Json.object().put("text", text);
    if (request.verbose()) {
      UnaryCodec.copy(VERBOSE_MEMBERS, source, document);
    }
    return new CheckedAnswer(
        document.build(), AudioSize.used(answer.usage(), request.audio(), text, pricing));
  }
}
