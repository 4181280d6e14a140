package io.strowger.core.wire;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request into a document, up to a size. */
final class BodyReader {
  private final JsonCodec codec;
  private final int limit;

  BodyReader(JsonCodec codec, int limit) {
    this.codec = codec;
    this.limit = limit;
  }

  /**
   * The object a body holds.
   *
   * @throws io.strowger.spi.error.GatewayException 413 when it is too large, 400 when it is
   *     anything but a JSON object
   */
  Json.Obj read(WireRequest request) {
    Json document;
    try {
      document = codec.parse(bytes(request));
    } catch (MalformedJson malformed) {
      throw refused("the body " + malformed.getMessage(), "");
    } catch (IOException broken) {
      throw refused("the body could not be read to its end", "");
    }
    if (document instanceof Json.Obj object) {
      return object;
    }
    throw refused("the body must be an object", document.kind());
  }

  private byte[] bytes(WireRequest request) throws IOException {
    long declared = declared(request.headers().first("Content-Length"));
    if (declared > limit) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    byte[] read = request.body().readNBytes(declared < 0 ? readable() : (int) declared);
    if (declared < 0 && read.length > limit) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    if (read.length < declared) {
      throw new IOException("the body ended early");
    }
    return read;
  }

  /** One byte more than allowed, so that more than allowed is seen without reading all of it. */
  private int readable() {
    return limit == Integer.MAX_VALUE ? limit : limit + 1;
  }

  private static long declared(@Nullable String length) {
    try {
      return length == null ? -1 : Long.parseLong(length.strip());
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  private static RuntimeException refused(String allowed, String given) {
    return GatewayError.of(
            ErrorCode.INVALID_REQUEST, List.of(new Problem(JsonPointer.ROOT, allowed, given)))
        .toException();
  }
}
