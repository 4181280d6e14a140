package io.strowger.core.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsRequest.Encoding;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One embedding, in the encoding in which the upstream sent it. Embeddings fact sheet, {@code
 * embedding}.
 *
 * @param value an array of numbers, or a string of base64
 * @param size how many numbers it has, at least 1
 */
record EmbeddingVector(Json value, int size) {
  /** Returns an embedding; null when the value is not an embedding. */
  static @Nullable EmbeddingVector of(Json value) {
    int size =
        switch (value) {
          case Json.Arr numbers -> sizeOf(numbers);
          case Json.Str base64 -> sizeOf(base64);
          case Json.Obj o -> 0;
          case Json.Num n -> 0;
          case Json.Bool b -> 0;
          case Json.Null n -> 0;
        };
    return size == 0 ? null : new EmbeddingVector(value, size);
  }

  private static int sizeOf(Json.Arr numbers) {
    for (int i = 0; i < numbers.size(); i++) {
      if (!(numbers.get(i) instanceof Json.Num)) {
        return 0;
      }
    }
    return numbers.size();
  }

  private static int sizeOf(Json.Str base64) {
    byte[] bytes = bytes(base64);
    if (bytes == null || bytes.length % Float.BYTES != 0) {
      return 0;
    }
    ByteBuffer floats = floats(bytes);
    while (floats.hasRemaining()) {
      if (!Float.isFinite(floats.getFloat())) {
        return 0; // JSON cannot express it
      }
    }
    return bytes.length / Float.BYTES;
  }

  private static byte @Nullable [] bytes(Json.Str base64) {
    try {
      return Base64.getDecoder().decode(base64.text());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns the embedding in an encoding. Numbers are rounded to 32 bits for base64.
   *
   * @return null when a number is too large for 32 bits
   */
  @Nullable Json encode(Encoding encoding) {
    return switch (encoding) {
      case FLOAT -> value instanceof Json.Str base64 ? numbers(base64) : value;
      case BASE64 -> value instanceof Json.Arr numbers ? base64(numbers) : value;
    };
  }

  private static Json numbers(Json.Str base64) {
    byte[] bytes = bytes(base64);
    ByteBuffer floats = floats(bytes == null ? new byte[0] : bytes);
    List<Json> numbers = new ArrayList<>(floats.remaining() / Float.BYTES);
    while (floats.hasRemaining()) {
      numbers.add(Json.of(new BigDecimal(Float.toString(floats.getFloat()))));
    }
    return Json.array(numbers);
  }

  private static ByteBuffer floats(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static @Nullable Json base64(Json.Arr numbers) {
    ByteBuffer floats =
        ByteBuffer.allocate(numbers.size() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < numbers.size(); i++) {
      float rounded = Float.parseFloat(((Json.Num) numbers.get(i)).spelling());
      if (!Float.isFinite(rounded)) {
        return null;
      }
      floats.putFloat(rounded);
    }
    return Json.of(Base64.getEncoder().encodeToString(floats.array()));
  }
}
