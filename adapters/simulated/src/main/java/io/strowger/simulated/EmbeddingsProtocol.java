package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Embeddings in the OpenAI form: {@code POST .../embeddings}, always one document. Each embedding
 * follows from its place and from the words of the script; they come in reverse order.
 */
final class EmbeddingsProtocol implements UpstreamProtocol {
  private static final int DIMENSIONS = 4;

  private final ChatProtocol chat = new ChatProtocol();

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    RequestScanner requestScanner =
        request.path().endsWith("/embeddings") ? RequestScanner.of(request.body()) : null;
    if (requestScanner == null) {
      return null;
    }
    String detail =
        count(Objects.requireNonNullElse(requestScanner.member("input"), ""))
            + " "
            + Objects.requireNonNullElse(requestScanner.member("dimensions"), "" + DIMENSIONS)
            + " "
            + "\"base64\"".equals(requestScanner.member("encoding_format"));
    return new Asked(Objects.requireNonNullElse(requestScanner.model(), ""), false, false, detail);
  }

  /** How many embeddings an input is for: its items, unless they are the numbers of one text. */
  private static int count(String input) {
    return !input.startsWith("[") || input.length() > 1 && Character.isDigit(input.charAt(1))
        ? 1
        : RequestScanner.items(input);
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    String[] detail = asked.detail().split(" ");
    return new DocumentSpoken(
        document(
            script,
            asked.model(),
            Integer.parseInt(detail[0]),
            Integer.parseInt(detail[1]),
            Boolean.parseBoolean(detail[2])));
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

  private static Json.Obj document(
      Script script, String model, int count, int dimensions, boolean base64) {
    var data = new ArrayList<Json>();
    for (int i = count - 1; i >= 0; i--) {
      data.add(
          Json.object()
              .put("object", "embedding")
              .put("index", i)
              .put("embedding", SimulatedEmbeddings.vector(i, dimensions, base64))
              .build());
    }
    return Json.object()
        .put("object", "list")
        .put("data", Json.array(data))
        .put("model", model)
        .put(
            "usage",
            Json.object()
                .put("prompt_tokens", script.promptTokens())
                .put("total_tokens", script.promptTokens())
                .build())
        .build();
  }
}
