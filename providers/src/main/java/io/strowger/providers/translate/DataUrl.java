package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/** Distinguishes data URLs, which contain the data, from URLs that must be fetched. */
public final class DataUrl {
  private static final String SCHEME = "data:";
  private static final String BASE64 = ";base64";
  private static final String UNSAID = "text/plain";
  private static final int HEX_DIGITS = 2;

  private DataUrl() {}

  /** Returns whether this is a data URL, without decoding it. */
  public static boolean is(Json.Str url) {
    return url.startsWith(SCHEME);
  }

  /**
   * Returns the media with a data URL converted to {@link Media.Inline}. A malformed data URL stays
   * as it is: the upstream will report what is wrong with it.
   */
  public static Media read(Media media) {
    return media instanceof Media.Url(Json.Str url) && is(url) ? inline(url.text(), media) : media;
  }

  private static Media inline(String url, Media otherwise) {
    int comma = url.indexOf(',');
    if (comma < 0) {
      return otherwise;
    }
    String head = url.substring(SCHEME.length(), comma);
    String data = url.substring(comma + 1);
    if (head.toLowerCase(Locale.ROOT).endsWith(BASE64)) {
      String type = head.substring(0, head.length() - BASE64.length());
      return new Media.Inline(typeOf(type), Json.of(data));
    }
    byte[] bytes = decoded(data);
    return bytes.length == 0 && !data.isEmpty()
        ? otherwise
        : new Media.Inline(typeOf(head), Json.of(Base64.getEncoder().encodeToString(bytes)));
  }

  /** Returns the media type without parameters such as a charset. */
  private static String typeOf(String written) {
    int parameters = written.indexOf(';');
    String type = (parameters < 0 ? written : written.substring(0, parameters)).strip();
    return type.isEmpty() ? UNSAID : type.toLowerCase(Locale.ROOT);
  }

  /** Returns the percent-decoded bytes; empty when they are malformed. */
  private static byte[] decoded(String data) {
    byte[] written = data.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(written.length);
    for (int i = 0; i < written.length; i++) {
      if (written[i] != '%') {
        out.write(written[i]);
        continue;
      }
      if (i + HEX_DIGITS >= written.length || !isHex(written[i + 1]) || !isHex(written[i + 2])) {
        return new byte[0];
      }
      out.write(
          HexFormat.fromHexDigit(written[i + 1]) << 4 | HexFormat.fromHexDigit(written[i + 2]));
      i += HEX_DIGITS;
    }
    return out.toByteArray();
  }

  private static boolean isHex(byte digit) {
    return HexFormat.isHexDigit(digit);
  }
}
