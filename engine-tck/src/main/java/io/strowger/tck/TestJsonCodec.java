package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads JSON for adapters under test, as strictly as the engine's own codec: UTF-8, one document,
 * no duplicate names in an object. Not made for speed.
 *
 * <p>The kit does not put a JSON library on its users' class path, which may have another version
 * of that library.
 *
 * <p>Safe on any thread.
 */
public final class TestJsonCodec implements JsonCodec {
  @Override
  public Json parse(byte[] document) throws MalformedJsonException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document));
    } catch (CharacterCodingException e) {
      throw new MalformedJsonException("the document is not UTF-8");
    }
    Json value = Json.parseOrNull(document);
    if (value == null) {
      throw new MalformedJsonException("the document is not valid, or has a name twice");
    }
    return value;
  }
}
