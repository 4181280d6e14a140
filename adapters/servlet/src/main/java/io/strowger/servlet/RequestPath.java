package io.strowger.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The path below the servlet's mapping, as the client wrote it. */
final class RequestPath {
  private RequestPath() {}

  /**
   * Returns what is behind the context path and the mapping, undecoded; null when the client wrote
   * these in a way that only the container's clean-up made a path of this servlet, such as with
   * dots or parameters.
   */
  static @Nullable String of(HttpServletRequest request) {
    boolean isDefault = request.getHttpServletMapping().getMappingMatch() == MappingMatch.DEFAULT;
    String mapped = isDefault ? "" : request.getServletPath();
    return below(request.getRequestURI(), request.getContextPath(), mapped);
  }

  /**
   * Returns the rest of a path.
   *
   * @param uri undecoded
   * @param context the first part of it, undecoded
   * @param mapped what follows in it, decoded
   */
  static @Nullable String below(String uri, String context, String mapped) {
    String root = context + mapped;
    if (!uri.startsWith(root) || !isRest(uri, root.length())) {
      return belowEscaped(uri, decoded(context) + mapped);
    }
    return uri.substring(root.length());
  }

  private static boolean isRest(String uri, int from) {
    return uri.length() == from || uri.charAt(from) == '/';
  }

  /** Skips as many segments as the root has, and looks whether they mean the root. */
  private static @Nullable String belowEscaped(String uri, String root) {
    int end = 0;
    for (int i = 0; i < root.length(); i++) {
      if (root.charAt(i) == '/') {
        int next = uri.indexOf('/', end + 1);
        end = next < 0 ? uri.length() : next;
      }
    }
    return root.equals(decoded(uri.substring(0, end))) ? uri.substring(end) : null;
  }

  private static @Nullable String decoded(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }
}
