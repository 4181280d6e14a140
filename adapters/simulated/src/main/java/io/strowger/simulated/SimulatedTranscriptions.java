package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;

/** Makes texts up: each follows from the bytes of its recording and from nothing else. */
final class SimulatedTranscriptions implements UnaryProvider {
  private static final int WORDS = 12;
  private static final int BYTES_PER_SECOND = 16_000;

  @Override
  public UnaryAnswer answer(UnaryCall call) {
    if (!(call.request() instanceof TranscriptionRequest request)) {
      throw new IllegalArgumentException("this adapter serves transcription requests only");
    }
    UploadedFile audio = request.audio();
    int seed = 7;
    for (int i = 0; i < audio.size(); i++) {
      seed = 31 * seed + audio.octet(i);
    }
    long seconds = 1L + audio.size() / BYTES_PER_SECOND;
    Json.Obj document =
        Json.object()
            .put("task", "transcribe")
            .put("language", "english")
            .put("duration", seconds)
            .put("text", Words.text(seed, WORDS))
            .put("segments", Json.array())
            .build();
    return new UnaryAnswer(document, Usage.builder().seconds(seconds).build(), () -> {});
  }

  @Override
  public void close() {
    // holds nothing
  }
}
