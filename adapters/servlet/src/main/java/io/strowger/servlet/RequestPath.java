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
   * Returns the part of the path after the context path and the mapping, undecoded; null when the
   * path matches the servlet only after the container has normalized it, such as a path with dots
   * or parameters.
   */
  static @Nullable String of(HttpServletRequest request) {
    boolean isDefault = request.getHttpServletMapping().getMappingMatch() == MappingMatch.DEFAULT;
    String servletPath = isDefault ? "" : request.getServletPath();
    return remainder(request.getRequestURI(), request.getContextPath(), servletPath);
  }

  /**
   * Returns the part of a path after the context path and the servlet path; null when the path does
   * not begin with both.
   *
   * @param uri the path of the request, undecoded
   * @param contextPath the context path, undecoded
   * @param servletPath the servlet path, decoded
   */
  static @Nullable String remainder(String uri, String contextPath, String servletPath) {
    String root = contextPath + servletPath;
    if (!uri.startsWith(root) || !isSegmentEnd(uri, root.length())) {
      return remainderOfEscaped(uri, decode(contextPath) + servletPath);
    }
    return uri.substring(root.length());
  }

  private static boolean isSegmentEnd(String uri, int from) {
    return uri.length() == from || uri.charAt(from) == '/';
  }

  /**
   * Skips as many segments as the root has and returns the remainder; null when the skipped ones,
   * decoded, are not the root.
   */
  private static @Nullable String remainderOfEscaped(String uri, String root) {
    int end = 0;
    for (int i = 0; i < root.length(); i++) {
      if (root.charAt(i) == '/') {
        int next = uri.indexOf('/', end + 1);
        end = next < 0 ? uri.length() : next;
      }
    }
    return root.equals(decode(uri.substring(0, end))) ? uri.substring(end) : null;
  }

  private static @Nullable String decode(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }
}
