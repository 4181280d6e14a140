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
  private static final String DEFAULT_TYPE = "text/plain";
  private static final int HEX_DIGITS = 2;

  private DataUrl() {}

  /** Returns whether this is a data URL, without decoding it. */
  public static boolean isDataUrl(Json.Str url) {
    return url.startsWithIgnoreCase(SCHEME);
  }

  /**
   * Returns the media with a data URL converted to {@link Media.Inline}. A malformed data URL stays
   * as it is: the upstream will report what is wrong with it.
   */
  public static Media toInline(Media media) {
    return media instanceof Media.Url(Json.Str url) && isDataUrl(url)
        ? inline(url.text(), media)
        : media;
  }

  private static Media inline(String url, Media fallback) {
    int comma = url.indexOf(',');
    if (comma < 0) {
      return fallback;
    }
    String head = url.substring(SCHEME.length(), comma);
    String data = url.substring(comma + 1);
    if (head.toLowerCase(Locale.ROOT).endsWith(BASE64)) {
      String type = head.substring(0, head.length() - BASE64.length());
      return new Media.Inline(typeOf(type), Json.of(data));
    }
    byte[] bytes = decode(data);
    return bytes.length == 0 && !data.isEmpty()
        ? fallback
        : new Media.Inline(typeOf(head), Json.of(Base64.getEncoder().encodeToString(bytes)));
  }

  /** Returns the media type without parameters such as a charset. */
  private static String typeOf(String header) {
    int parameters = header.indexOf(';');
    String type = (parameters < 0 ? header : header.substring(0, parameters)).strip();
    return type.isEmpty() ? DEFAULT_TYPE : type.toLowerCase(Locale.ROOT);
  }

  /** Returns the percent-decoded bytes; empty when they are malformed. */
  private static byte[] decode(String data) {
    byte[] encoded = data.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] != '%') {
        out.write(encoded[i]);
        continue;
      }
      if (i + HEX_DIGITS >= encoded.length || !isHex(encoded[i + 1]) || !isHex(encoded[i + 2])) {
        return new byte[0];
      }
      out.write(
          HexFormat.fromHexDigit(encoded[i + 1]) << 4 | HexFormat.fromHexDigit(encoded[i + 2]));
      i += HEX_DIGITS;
    }
    return out.toByteArray();
  }

  private static boolean isHex(byte digit) {
    return HexFormat.isHexDigit(digit);
  }
}
