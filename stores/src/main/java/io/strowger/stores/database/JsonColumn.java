package io.strowger.stores.database;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** Stores JSON objects as text, which is also readable in the tables. */
public record JsonColumn(JsonCodec codec) {
  /**
   * Returns the text of an object. The text has NUL and lone surrogates only as escapes, so any
   * database can store it.
   */
  public static String text(Json.Obj body) {
    return new String(body.toBytes(), StandardCharsets.UTF_8);
  }

  /**
   * Returns the object that a text contains.
   *
   * @throws SQLException when the text is not a JSON object, as when another program wrote it
   */
  public Json.Obj object(String text) throws SQLException {
    return object(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the object that bytes contain.
   *
   * @param json the bytes; must not be changed afterwards
   * @throws SQLException when they are not a JSON object
   */
  public Json.Obj object(byte[] json) throws SQLException {
    try {
      if (codec.parse(json) instanceof Json.Obj body) {
        return body;
      }
    } catch (JsonCodec.MalformedJsonException e) {
      throw new SQLException("a record is not JSON: " + e.getMessage(), e);
    }
    throw new SQLException("a record is not a JSON object");
  }
}
