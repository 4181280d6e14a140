package io.strowger.core.http;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request as a JSON document or as bytes, up to a limit in bytes. */
record BodyReader(JacksonCodec codec, int limit) {
  /**
   * Returns the JSON object in the body of a request.
   *
   * @throws io.strowger.spi.error.GatewayException 413 when it is too large, 400 when it is not a
   *     JSON object, 503 when there is not enough memory for it
   */
  Json.Obj read(WireRequest request) {
    return readObject(request, false);
  }

  /**
   * Returns the JSON object in the body of a request, or an empty object for an empty body.
   *
   * @throws io.strowger.spi.error.GatewayException as {@link #read}
   */
  Json.Obj readIfAny(WireRequest request) {
    return readObject(request, true);
  }

  /**
   * Returns the bytes of the body of a request.
   *
   * @throws io.strowger.spi.error.GatewayException 413 when it is too large, 400 when it ends
   *     early, 503 when there is not enough memory for it
   */
  byte[] readBytes(WireRequest request) {
    try {
      return bodyBytes(request);
    } catch (IOException e) {
      throw invalidBody("the body could not be read to its end", "");
    }
  }

  /** Parses JSON text from a body of another format; returns null when it is malformed. */
  @Nullable Json parseOrNull(String text) {
    try {
      return codec.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      return null;
    }
  }

  private Json.Obj readObject(WireRequest request, boolean mayBeEmpty) {
    Json document;
    try {
      byte[] body = bodyBytes(request);
      document = mayBeEmpty && body.length == 0 ? Json.Obj.EMPTY : parse(request, body);
    } catch (MalformedJsonException e) {
      throw invalidBody("the body " + e.getMessage(), "");
    } catch (IOException e) {
      throw invalidBody("the body could not be read to its end", "");
    }
    if (document instanceof Json.Obj object) {
      return object;
    }
    throw invalidBody("the body must be an object", document.kind());
  }

  private Json parse(WireRequest request, byte[] bytes) throws MalformedJsonException {
    return request.body() instanceof ChargedBody charged
        ? codec.parse(bytes, charged::chargeValues)
        : codec.parse(bytes);
  }

  private byte[] bodyBytes(WireRequest request) throws IOException {
    long declaredLength = declaredLength(request);
    if (declaredLength > limit) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    if (declaredLength >= 0) {
      return readExactly(request.body(), (int) declaredLength);
    }
    byte[] content = request.body().readNBytes(readLimit());
    if (content.length > limit) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    return content;
  }

  /** Reads into one array, since collecting chunks first would need twice the memory. */
  private static byte[] readExactly(InputStream body, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (body.readNBytes(bytes, 0, length) < length) {
      throw new IOException("the body ended early");
    }
    return bytes;
  }

  /** Returns the limit plus one byte, which is enough to detect that a body is too large. */
  private int readLimit() {
    return limit == Integer.MAX_VALUE ? limit : limit + 1;
  }

  /** Returns the declared length of the body in bytes; -1 without a valid Content-Length. */
  static long declaredLength(WireRequest request) {
    String length = request.headers().first("Content-Length");
    try {
      return length == null ? -1 : Long.parseLong(length.strip());
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * Returns the 400 error for an invalid body.
   *
   * @param problem what is wrong with the body, as a phrase
   * @param value the kind of the invalid value; empty to omit it
   */
  static RuntimeException invalidBody(String problem, String value) {
    return GatewayError.of(
            ErrorCode.INVALID_REQUEST, List.of(new Problem(JsonPointer.ROOT, problem, value)))
        .toException();
  }
}
