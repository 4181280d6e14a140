package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.ImagesRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import java.util.ArrayList;

/**
 * Generates images: always the same single grey dot. A simulated upstream answers {@code POST
 * .../images/generations} with such images.
 */
final class SimulatedImages implements UnaryProvider {
  private static final String DOT =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
  private static final int BYTES_PER_TOKEN = 4;
  private static final int CREATED = 1_700_000_000;

  @Override
  public UnaryAnswer answer(UnaryCall call) {
    if (!(call.request() instanceof ImagesRequest request)) {
      throw new IllegalArgumentException("this adapter serves image requests only");
    }
    long prompt = Math.max(1, request.prompt().utf8Bound() / BYTES_PER_TOKEN);
    return new UnaryAnswer(
        Json.object().put("data", pictures(request.count())).build(),
        Usage.builder().freshInput(prompt).build(),
        () -> {});
  }

  /** Returns an upstream's answer in the OpenAI form. */
  static Json.Obj document(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    int input = script.promptTokens();
    int output = script.completionTokens();
    return Json.object()
        .put("created", CREATED)
        .put("data", pictures(Integer.parseInt(parsedRequest.parameter())))
        .put("size", "1024x1024")
        .put(
            "usage",
            Json.object()
                .put("input_tokens", input)
                .put("output_tokens", output)
                .put("total_tokens", input + output)
                .build())
        .build();
  }

  private static Json.Arr pictures(int count) {
    var pictures = new ArrayList<Json>();
    for (int i = 0; i < count; i++) {
      pictures.add(Json.object().put("b64_json", DOT).build());
    }
    return Json.array(pictures);
  }

  @Override
  public void close() {
    // nothing to release
  }
}
