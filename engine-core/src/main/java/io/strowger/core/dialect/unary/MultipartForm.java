package io.strowger.core.dialect.unary;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code multipart/form-data} form, parsed strictly and in linear time: input that two parsers
 * could read differently is rejected. The parts refer to the body and copy none of it.
 */
public final class MultipartForm {
  private static final String TYPE = "multipart/form-data";
  private static final int MAX_PARTS = 64;
  private static final int MAX_HEADER_BYTES = 4 << 10;
  private static final Pattern BOUNDARY =
      Pattern.compile(
          "(?i);\\s*boundary=(?:\"([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])\""
              + "|([0-9A-Za-z'+_.-]{1,70}))\\s*(?:;|$)");

  /** Matches the next parameter of a header; a quoted value is read as a whole. */
  private static final Pattern PARAMETER =
      Pattern.compile("\\G\\s*;\\s*([^\\s\";=]+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s\";]+))");

  private final byte[] body;
  private final byte[] delimiter; // with the preceding line break
  private int at;

  private MultipartForm(byte[] body, String boundary) {
    this.body = body;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * One part.
   *
   * @param fileName the name of the file; null when the part is no file
   * @param contentType the content type of the part; null when the part has none
   * @param from the offset of its content in the body
   * @param size the length of its content in bytes
   */
  public record Field(
      String name, @Nullable String fileName, @Nullable String contentType, int from, int size) {}

  /**
   * Thrown when a body is not a valid form. The message has the reason and quotes nothing from the
   * body.
   */
  public static final class MalformedForm extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the reason, as the rest of a sentence whose subject is the form
     */
    public MalformedForm(String message) {
      super(message, null, false, false);
    }
  }

  /** Returns whether a body of this content type is a form. */
  public static boolean isForm(@Nullable String contentType) {
    return contentType != null && contentType.strip().toLowerCase(Locale.ROOT).startsWith(TYPE);
  }

  /**
   * Returns the parts of a form in their order.
   *
   * @param contentType the content type of the request
   * @throws MalformedForm when the form is not valid, or has more parts than {@value #MAX_PARTS}
   */
  public static List<Field> fields(byte[] body, String contentType) throws MalformedForm {
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.find()) {
      throw new MalformedForm("must name its boundary in the content type");
    }
    String quoted = boundary.group(1);
    return new MultipartForm(body, quoted == null ? boundary.group(2) : quoted).fields();
  }

  private List<Field> fields() throws MalformedForm {
    var fields = new ArrayList<Field>();
    if (!isAt(0, 2)) {
      throw new MalformedForm("must begin with its boundary");
    }
    at = delimiter.length - 2;
    while (!readDelimiterEnd()) {
      if (fields.size() == MAX_PARTS) {
        throw new MalformedForm("must have at most " + MAX_PARTS + " parts");
      }
      fields.add(field());
    }
    return fields;
  }

  /**
   * Returns whether the body has the delimiter, without its first {@code skipped} bytes, at an
   * offset.
   */
  private boolean isAt(int place, int skipped) {
    int end = place + delimiter.length - skipped;
    return end <= body.length
        && Arrays.equals(body, place, end, delimiter, skipped, delimiter.length);
  }

  /** Skips the two bytes after a delimiter, and returns whether the form ends there. */
  private boolean readDelimiterEnd() throws MalformedForm {
    if (at + 2 > body.length) {
      throw new MalformedForm("must end with its boundary and --");
    }
    boolean last = body[at] == '-' && body[at + 1] == '-';
    boolean more = body[at] == '\r' && body[at + 1] == '\n';
    if (!last && !more) {
      throw new MalformedForm("must have nothing behind a boundary in its line");
    }
    at += 2;
    return last;
  }

  private Field field() throws MalformedForm {
    String disposition = null;
    String contentType = null;
    int headers = at;
    for (String line = line(headers); !line.isEmpty(); line = line(headers)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-disposition:")) {
        if (disposition != null) {
          throw new MalformedForm("must have one content-disposition in each part");
        }
        disposition = line.substring(line.indexOf(':') + 1).strip();
      } else if (lower.startsWith("content-type:")) {
        contentType = line.substring(line.indexOf(':') + 1).strip();
      } else if (lower.startsWith("content-transfer-encoding:")
          && !lower.substring(lower.indexOf(':') + 1).strip().matches("binary|7bit|8bit")) {
        throw new MalformedForm("must have parts without a transfer encoding");
      }
    }
    int from = at;
    int end = end(from);
    at = end + delimiter.length;
    return field(disposition, contentType, from, end - from);
  }

  private static Field field(
      @Nullable String disposition, @Nullable String contentType, int from, int size)
      throws MalformedForm {
    if (disposition == null || !disposition.toLowerCase(Locale.ROOT).startsWith("form-data")) {
      throw new MalformedForm("must say content-disposition: form-data in each part");
    }
    Map<String, String> said = parameters(disposition.substring("form-data".length()));
    String name = said.get("name");
    if (name == null || name.isEmpty()) {
      throw new MalformedForm("must name each part");
    }
    return new Field(name, said.get("filename"), contentType, from, size);
  }

  private static Map<String, String> parameters(String disposition) throws MalformedForm {
    var all = new HashMap<String, String>();
    Matcher next = PARAMETER.matcher(disposition);
    int read = 0;
    while (next.find()) {
      read = next.end();
      String quoted = next.group(2);
      String value = quoted == null ? next.group(3) : quoted;
      if (all.put(next.group(1).toLowerCase(Locale.ROOT), value) != null) {
        throw new MalformedForm("must say each parameter of a content-disposition once");
      }
    }
    String rest = disposition.substring(read).strip();
    if (!rest.isEmpty() && !rest.equals(";")) {
      throw new MalformedForm("must have a content-disposition of name=\"value\" parameters");
    }
    return all;
  }

  /** Reads the next header line of a part, and returns it without its line break. */
  private String line(int headers) throws MalformedForm {
    int end = at;
    while (end + 1 < body.length && !(body[end] == '\r' && body[end + 1] == '\n')) {
      end++;
      if (end - headers > MAX_HEADER_BYTES) {
        throw new MalformedForm("must have at most " + MAX_HEADER_BYTES + " bytes before a part");
      }
    }
    if (end + 1 >= body.length) {
      throw new MalformedForm("must not end within the headers of a part");
    }
    // UTF-8, since a file name may have any characters
    String line = new String(body, at, end - at, StandardCharsets.UTF_8);
    at = end + 2;
    return line;
  }

  /**
   * Returns the content of a field as text.
   *
   * @throws MalformedForm when it is not UTF-8
   */
  public static String text(byte[] body, Field field) throws MalformedForm {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body, field.from(), field.size()))
          .toString();
    } catch (CharacterCodingException notText) {
      throw new MalformedForm("must have its texts in UTF-8");
    }
  }

  /** Returns the end (exclusive) of the content that begins at an offset. */
  private int end(int from) throws MalformedForm {
    // the delimiter begins with the line break that ends the headers: the empty line is missing
    if (from >= 2 && isAt(from - 2, 0)) {
      throw new MalformedForm("must have an empty line before the content of each part");
    }
    for (int i = from; i + delimiter.length <= body.length; i++) {
      if (body[i] == '\r' && isAt(i, 0)) {
        return i;
      }
    }
    throw new MalformedForm("must end with its boundary and --");
  }
}
