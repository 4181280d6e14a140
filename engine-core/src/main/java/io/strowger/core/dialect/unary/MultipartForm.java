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
  private int position;

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
  public static final class MalformedFormException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the reason, as the rest of a sentence whose subject is the form
     */
    public MalformedFormException(String message) {
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
   * @throws MalformedFormException when the form is not valid, or has more parts than {@value
   *     #MAX_PARTS}
   */
  public static List<Field> fields(byte[] body, String contentType) throws MalformedFormException {
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.find()) {
      throw new MalformedFormException("must name its boundary in the content type");
    }
    String quotedBoundary = boundary.group(1);
    return new MultipartForm(body, quotedBoundary == null ? boundary.group(2) : quotedBoundary)
        .fields();
  }

  private List<Field> fields() throws MalformedFormException {
    var fields = new ArrayList<Field>();
    if (!hasDelimiterAt(0, 2)) {
      throw new MalformedFormException("must begin with its boundary");
    }
    position = delimiter.length - 2;
    while (!readDelimiterEnd()) {
      if (fields.size() == MAX_PARTS) {
        throw new MalformedFormException("must have at most " + MAX_PARTS + " parts");
      }
      fields.add(readField());
    }
    return fields;
  }

  /**
   * Returns whether the body has the delimiter, without its first {@code skipped} bytes, at an
   * offset.
   */
  private boolean hasDelimiterAt(int offset, int skipped) {
    int end = offset + delimiter.length - skipped;
    return end <= body.length
        && Arrays.equals(body, offset, end, delimiter, skipped, delimiter.length);
  }

  /** Skips the two bytes after a delimiter, and returns whether the form ends there. */
  private boolean readDelimiterEnd() throws MalformedFormException {
    if (position + 2 > body.length) {
      throw new MalformedFormException("must end with its boundary and --");
    }
    boolean isEnd = body[position] == '-' && body[position + 1] == '-';
    boolean hasNextPart = body[position] == '\r' && body[position + 1] == '\n';
    if (!isEnd && !hasNextPart) {
      throw new MalformedFormException("must have nothing after a boundary on the same line");
    }
    position += 2;
    return isEnd;
  }

  private Field readField() throws MalformedFormException {
    String disposition = null;
    String contentType = null;
    int headers = position;
    for (String line = readHeaderLine(headers); !line.isEmpty(); line = readHeaderLine(headers)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-disposition:")) {
        if (disposition != null) {
          throw new MalformedFormException("must have one content-disposition in each part");
        }
        disposition = line.substring(line.indexOf(':') + 1).strip();
      } else if (lower.startsWith("content-type:")) {
        contentType = line.substring(line.indexOf(':') + 1).strip();
      } else if (lower.startsWith("content-transfer-encoding:")
          && !lower.substring(lower.indexOf(':') + 1).strip().matches("binary|7bit|8bit")) {
        throw new MalformedFormException("must have parts without a transfer encoding");
      }
    }
    int contentStart = position;
    int end = findContentEnd(contentStart);
    position = end + delimiter.length;
    return readField(disposition, contentType, contentStart, end - contentStart);
  }

  private static Field readField(
      @Nullable String disposition, @Nullable String contentType, int contentStart, int size)
      throws MalformedFormException {
    if (disposition == null || !disposition.toLowerCase(Locale.ROOT).startsWith("form-data")) {
      throw new MalformedFormException("must have content-disposition: form-data in each part");
    }
    Map<String, String> parameters = parameters(disposition.substring("form-data".length()));
    String name = parameters.get("name");
    if (name == null || name.isEmpty()) {
      throw new MalformedFormException("must name each part");
    }
    return new Field(name, parameters.get("filename"), contentType, contentStart, size);
  }

  private static Map<String, String> parameters(String disposition) throws MalformedFormException {
    var parameters = new HashMap<String, String>();
    Matcher matcher = PARAMETER.matcher(disposition);
    int parsedEnd = 0;
    while (matcher.find()) {
      parsedEnd = matcher.end();
      String quoted = matcher.group(2);
      String value = quoted == null ? matcher.group(3) : quoted;
      if (parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), value) != null) {
        throw new MalformedFormException(
            "must have each parameter of a content-disposition only once");
      }
    }
    String unparsed = disposition.substring(parsedEnd).strip();
    if (!unparsed.isEmpty() && !unparsed.equals(";")) {
      throw new MalformedFormException(
          "must have a content-disposition of name=\"value\" parameters");
    }
    return parameters;
  }

  /** Reads the next header line of a part, and returns it without its line break. */
  private String readHeaderLine(int headersStart) throws MalformedFormException {
    int end = position;
    while (end + 1 < body.length && !(body[end] == '\r' && body[end + 1] == '\n')) {
      end++;
      if (end - headersStart > MAX_HEADER_BYTES) {
        throw new MalformedFormException(
            "must have at most " + MAX_HEADER_BYTES + " bytes of headers in each part");
      }
    }
    if (end + 1 >= body.length) {
      throw new MalformedFormException("must not end within the headers of a part");
    }
    // UTF-8, since a file name may have any characters
    String line = new String(body, position, end - position, StandardCharsets.UTF_8);
    position = end + 2;
    return line;
  }

  /**
   * Returns the content of a field as text.
   *
   * @throws MalformedFormException when it is not UTF-8
   */
  public static String text(byte[] body, Field field) throws MalformedFormException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body, field.from(), field.size()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFormException("must have its texts in UTF-8");
    }
  }

  /** Returns the end (exclusive) of the content that begins at an offset. */
  private int findContentEnd(int from) throws MalformedFormException {
    // the delimiter begins with the line break that ends the headers: the empty line is missing
    if (from >= 2 && hasDelimiterAt(from - 2, 0)) {
      throw new MalformedFormException("must have an empty line before the content of each part");
    }
    for (int i = from; i + delimiter.length <= body.length; i++) {
      if (body[i] == '\r' && hasDelimiterAt(i, 0)) {
        return i;
      }
    }
    throw new MalformedFormException("must end with its boundary and --");
  }
}
