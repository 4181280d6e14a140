package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Transcriptions in the OpenAI form: {@code POST .../audio/transcriptions} of a form, always one
 * document. The text is that of the script; each of its tokens took a second.
 */
final class TranscriptionsProtocol implements UpstreamProtocol {
  private static final Pattern MODEL = Pattern.compile("name=\"model\"\r\n\r\n([^\r]*)\r\n");

  private final ChatProtocol chat = new ChatProtocol();

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    if (!request.path().endsWith("/audio/transcriptions")) {
      return null;
    }
    String body = new String(request.body(), StandardCharsets.ISO_8859_1);
    Matcher model = MODEL.matcher(body);
    return new Asked(
        model.find() ? model.group(1) : "",
        false,
        false,
        body.contains("\r\n\r\nverbose_json\r\n") ? "verbose" : "");
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    int seconds = script.promptTokens();
    Json.Obj.Builder document = Json.object().put("text", script.text());
    if (!asked.detail().isEmpty()) {
      document
          .put("task", "transcribe")
          .put("language", "english")
          .put("duration", seconds)
          .put("segments", Json.array());
    }
    Json.Obj usage = Json.object().put("type", "duration").put("seconds", seconds).build();
    return new DocumentSpoken(document.put("usage", usage).build());
  }

  @Override
  public byte[] keepAlive() {
    return chat.keepAlive();
  }

  @Override
  public byte[] broken() {
    return chat.broken();
  }

  @Override
  public byte[] error(String json) {
    return chat.error(json);
  }
}
