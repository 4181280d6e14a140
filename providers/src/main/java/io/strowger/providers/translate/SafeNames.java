package io.strowger.providers.translate;

import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts names and ids to a form that upstreams accept: A-Z a-z 0-9 _ - only, and not too long.
 * Other characters are escaped, and the end of a long name is replaced by a hash, such that
 * different names stay different and are converted back to the caller's. For one call; one thread.
 * Translation fact sheet, section 6.
 */
public final class SafeNames {
  /** The longest name that every upstream accepts. */
  private static final int MAX_LENGTH = 64;

  private static final int PREFIX_LENGTH = 46;
  private static final String ESCAPE = "_x";

  /** The form of the empty name; no other name has it, since UTF-8 has no such byte. */
  private static final String EMPTY_NAME = "_xff";

  /** The pattern of an escaped byte; a name that contains it must be escaped itself. */
  private static final Pattern ESCAPED = Pattern.compile("_x[0-9a-f]{2}");

  // most requests rename nothing
  private Map<String, String> originals = Map.of();
  private Map<String, String> safeNames = Map.of();

  /** The number of names that were shortened to the same text, by that text. */
  private Map<String, Integer> hashCounts = Map.of();

  private final boolean requiresLetterFirst;

  public SafeNames() {
    this(false);
  }

  private SafeNames(boolean requiresLetterFirst) {
    this.requiresLetterFirst = requiresLetterFirst;
  }

  /** Returns an instance for upstreams whose names begin with a letter or an underscore. */
  public static SafeNames beginningWithLetter() {
    return new SafeNames(true);
  }

  /**
   * Returns the names of a request's functions as they are sent, for reading its answer.
   *
   * @param upstreamDialect the upstream's dialect; requests in that dialect keep their names
   */
  public static SafeNames ofTools(InferenceRequest request, Dialect upstreamDialect) {
    var names = new SafeNames();
    return request.dialect() == upstreamDialect ? names : names.withTools(request.tools());
  }

  /** Adds the functions among the tools, in order, since equal shortened names are numbered. */
  public SafeNames withTools(List<Tool> tools) {
    for (Tool tool : tools) {
      if (tool instanceof Tool.Function function) {
        toSafe(function.name());
      }
    }
    return this;
  }

  /** Returns the accepted form of a name; the same object when the name is accepted. */
  public String toSafe(String name) {
    if (isSafe(name)) {
      return name;
    }
    String known = safeNames.get(name);
    if (known != null) {
      return known;
    }
    if (safeNames.isEmpty()) {
      originals = new HashMap<>();
      safeNames = new HashMap<>();
      hashCounts = new HashMap<>();
    }
    String safe = shorten(escape(name), name);
    originals.put(safe, name);
    safeNames.put(name, safe);
    return safe;
  }

  /**
   * Returns the name within the limit of length. A shortened name ends in a hash, and a number
   * follows if the result is not unique.
   */
  private String shorten(String escaped, String name) {
    if (escaped.length() <= MAX_LENGTH) {
      return escaped;
    }
    String start =
        escaped.substring(0, PREFIX_LENGTH) + ESCAPE + HexFormat.of().toHexDigits(name.hashCode());
    int count = hashCounts.merge(start, 1, Integer::sum);
    return count == 1 ? start : start + "-" + count; // names with equal hashes are numbered
  }

  /** Returns the caller's name for a name that the upstream sent. */
  public String toOriginal(String safe) {
    return originals.getOrDefault(safe, safe);
  }

  private boolean isSafe(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isSafe(name.charAt(i))) {
        return false;
      }
    }
    return !name.isEmpty()
        && name.length() <= MAX_LENGTH
        && mayBegin(name.charAt(0))
        && !ESCAPED.matcher(name).find();
  }

  private boolean mayBegin(char c) {
    return !requiresLetterFirst || c != '-' && (c < '0' || c > '9');
  }

  private static boolean isSafe(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '-';
  }

  /** Returns the name with other characters and escapes written as {@code _x} and two digits. */
  private String escape(String name) {
    var safe = new StringBuilder();
    Matcher escape = ESCAPED.matcher(name);
    for (int i = 0; i < name.length(); ) {
      int point = name.codePointAt(i);
      boolean isPlain =
          point < 128
              && isSafe((char) point)
              && (i > 0 || mayBegin((char) point))
              && !escape.region(i, name.length()).lookingAt();
      if (isPlain) {
        safe.append((char) point);
      } else {
        for (byte octet : bytes(point)) {
          safe.append(ESCAPE).append(HexFormat.of().toHexDigits(octet));
        }
      }
      i += Character.charCount(point);
    }
    return safe.isEmpty() ? EMPTY_NAME : safe.toString();
  }

  /** Returns the UTF-8 bytes; unpaired surrogates are encoded too, so that they stay distinct. */
  private static byte[] bytes(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
        ? new byte[] {
          (byte) (0xE0 | point >> 12),
          (byte) (0x80 | point >> 6 & 0x3F),
          (byte) (0x80 | point & 0x3F)
        }
        : Character.toString(point).getBytes(StandardCharsets.UTF_8);
  }
}
