package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Generates texts, each from the bytes of its recording only. A simulated upstream, which answers
 * forms at {@code POST .../audio/transcriptions}, returns the script's text and reports one second
 * for each prompt token of the script.
 */
final class SimulatedTranscriptions implements UnaryProvider {
  private static final Pattern MODEL = Pattern.compile("name=\"model\"\r\n\r\n([^\r]*)\r\n");
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

  static UpstreamProtocol.@Nullable ParsedRequest parse(ReceivedRequest request) {
    if (!request.path().endsWith("/audio/transcriptions")) {
      return null;
    }
    String form = new String(request.body(), StandardCharsets.ISO_8859_1);
    Matcher model = MODEL.matcher(form);
    return new UpstreamProtocol.ParsedRequest(
        model.find() ? model.group(1) : "",
        false,
        false,
        form.contains("\r\n\r\nverbose_json\r\n") ? "verbose" : "");
  }

  /** Returns an upstream's answer in the OpenAI form. */
  static Json.Obj document(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    int seconds = script.promptTokens();
    Json.Obj.Builder document = Json.object().put("text", script.text());
    if (!parsedRequest.parameter().isEmpty()) {
      document
          .put("task", "transcribe")
          .put("language", "english")
          .put("duration", seconds)
          .put("segments", Json.array());
    }
    Json.Obj usage = Json.object().put("type", "duration").put("seconds", seconds).build();
    return document.put("usage", usage).build();
  }

  @Override
  public void close() {
    // nothing to release
  }
}
