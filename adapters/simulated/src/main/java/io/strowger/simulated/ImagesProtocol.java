package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pictures in the OpenAI form: {@code POST .../images/generations}, always one document. */
final class ImagesProtocol implements UpstreamProtocol {
  private static final int CREATED = 1_700_000_000;

  private final ChatProtocol chat = new ChatProtocol();

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    RequestScanner requestScanner =
        request.path().endsWith("/images/generations") ? RequestScanner.of(request.body()) : null;
    return requestScanner == null
        ? null
        : new Asked(
            Objects.requireNonNullElse(requestScanner.model(), ""),
            false,
            false,
            Objects.requireNonNullElse(requestScanner.member("n"), "1"));
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    int input = script.promptTokens();
    int output = script.completionTokens();
    return new DocumentSpoken(
        Json.object()
            .put("created", CREATED)
            .put("data", SimulatedImages.pictures(Integer.parseInt(asked.detail())))
            .put("size", "1024x1024")
            .put(
                "usage",
                Json.object()
                    .put("input_tokens", input)
                    .put("output_tokens", output)
                    .put("total_tokens", input + output)
                    .build())
            .build());
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
