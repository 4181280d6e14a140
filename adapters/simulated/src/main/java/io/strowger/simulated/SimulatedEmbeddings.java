package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * Generates embeddings. The adapter generates each from its input alone; a simulated upstream,
 * which answers {@code POST .../embeddings}, generates each from its index.
 */
final class SimulatedEmbeddings implements EmbeddingsProvider {
  private static final int BYTES_PER_TOKEN = 4;
  private static final int DIMENSIONS = 8;
  private static final int MAX_DIMENSIONS = 4096;

  @Override
  public EmbeddingsAnswer embed(EmbeddingsCall call) {
    EmbeddingsRequest request = call.request();
    int dimensions =
        (int)
            Math.min(request.dimensions() > 0 ? request.dimensions() : DIMENSIONS, MAX_DIMENSIONS);
    boolean base64 = request.encoding() == EmbeddingsRequest.Encoding.BASE64;
    var vectors = new ArrayList<Json>();
    long bytes = 0;
    for (Json input : inputs(request.input())) {
      vectors.add(vector(input.hashCode(), dimensions, base64));
      bytes += input.writtenLength();
    }
    Usage usage = Usage.builder().freshInput(Math.max(1, bytes / BYTES_PER_TOKEN)).build();
    return new EmbeddingsAnswer(vectors, usage, Json.Obj.EMPTY, () -> {});
  }

  private static List<Json> inputs(EmbeddingsInput input) {
    return switch (input) {
      case EmbeddingsInput.Text text -> List.of(text.text());
      case EmbeddingsInput.Tokens tokens -> List.of(tokens.ids());
      case EmbeddingsInput.Texts texts -> items(texts.texts());
      case EmbeddingsInput.TokenLists lists -> items(lists.lists());
      case EmbeddingsInput.Contents contents -> items(contents.items());
    };
  }

  private static List<Json> items(Json.Arr array) {
    var items = new ArrayList<Json>(array.size());
    for (int i = 0; i < array.size(); i++) {
      items.add(array.get(i));
    }
    return items;
  }

  /** Returns numbers from -1 to 1 in steps of 1/128, which 32-bit floats represent exactly. */
  static Json vector(int seed, int dimensions, boolean base64) {
    ByteBuffer floats =
        ByteBuffer.allocate(dimensions * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    var numbers = new ArrayList<Json>(dimensions);
    for (int i = 0; i < dimensions; i++) {
      float value = Math.floorMod(31 * seed + 7 * i + 1, 257) / 128f - 1;
      floats.putFloat(value);
      numbers.add(Json.of(new BigDecimal(Float.toString(value))));
    }
    return base64
        ? Json.of(Base64.getEncoder().encodeToString(floats.array()))
        : Json.array(numbers);
  }

  /**
   * Returns the number of embeddings, their dimensions and whether base64 was requested, separated
   * by spaces.
   */
  static String parameter(Json.Obj body) {
    boolean hasItems =
        body.list("input") instanceof Json.Arr items
            && !items.isEmpty()
            && !(items.getFirst() instanceof Json.Num); // the numbers of one list of tokens
    return (hasItems ? Objects.requireNonNull(body.list("input")).size() : 1)
        + " "
        + body.longValue("dimensions", 4)
        + " "
        + "base64".equals(body.text("encoding_format"));
  }

  /** Returns an upstream's answer in the OpenAI form; the embeddings come in reverse order. */
  static Json.Obj document(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    String[] parameters = parsedRequest.parameter().split(" ");
    int dimensions = Integer.parseInt(parameters[1]);
    boolean base64 = Boolean.parseBoolean(parameters[2]);
    var data = new ArrayList<Json>();
    for (int i = Integer.parseInt(parameters[0]) - 1; i >= 0; i--) {
      data.add(
          Json.object()
              .put("object", "embedding")
              .put("index", i)
              .put("embedding", vector(i, dimensions, base64))
              .build());
    }
    return Json.object()
        .put("object", "list")
        .put("data", Json.array(data))
        .put("model", parsedRequest.model())
        .put(
            "usage",
            Json.object()
                .put("prompt_tokens", script.promptTokens())
                .put("total_tokens", script.promptTokens())
                .build())
        .build();
  }

  @Override
  public void close() {
    // nothing to release
  }
}
