package io.strowger.core.decode;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;

/** Parses JSON in tests. */
public final class TestJson {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private TestJson() {}

  /** Parses JSON text after replacing single quotes by double quotes. */
  public static Json of(String text) {
    try {
      return CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Writes an object and parses it again. */
  public static Json.Obj parse(Json.Obj object) {
    return parse(object.toBytes());
  }

  /** Parses an object. */
  public static Json.Obj parse(byte[] document) {
    try {
      return (Json.Obj) CODEC.parse(document);
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(new String(document, StandardCharsets.UTF_8), e);
    }
  }
}
