package io.strowger.host.server;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * A request that recipients could understand differently.
 *
 * @param name what is ambiguous
 * @param request its bytes as Latin-1; {@code PATH} stands for the path
 * @param status the status it is refused with
 */
record AmbiguousRequest(String name, String request, int status) {
  /** The bytes that an attacker wants to be served as a separate request. */
  static final String HIDDEN = "GET /api/v1/hidden HTTP/1.1\r\nHost: h\r\n\r\n";

  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  private static final String BODY = "3\r\nabc\r\n0\r\n\r\n";

  byte[] bytes(String path) {
    return request.replace("PATH", path).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the same request with {@code Expect: 100-continue}. */
  AmbiguousRequest expectingContinue() {
    String expecting = request.replaceFirst("Host: h\r\n", "Host: h\r\nExpect: 100-continue\r\n");
    return new AmbiguousRequest(name, expecting, status);
  }

  @Override
  public String toString() {
    return name;
  }

  private static AmbiguousRequest line(String name, String line, int status) {
    return new AmbiguousRequest(name, line + "\r\nHost: h\r\n\r\n", status);
  }

  private static AmbiguousRequest fields(String name, String fields, int status) {
    return new AmbiguousRequest(
        name, "POST PATH HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + BODY, status);
  }

  private static AmbiguousRequest bad(String name, String fields) {
    return fields(name, fields, 400);
  }

  private static AmbiguousRequest chunks(String name, String body) {
    return chunks(name, body, 400);
  }

  private static AmbiguousRequest chunks(String name, String body, int status) {
    return new AmbiguousRequest(
        name, "POST PATH HTTP/1.1\r\nHost: h\r\n" + CHUNKED + "\r\n" + body, status);
  }

  /** Returns requests whose head is ambiguous. */
  static Stream<AmbiguousRequest> heads() {
    return Stream.of(lengths(), codings(), lines(), targets()).flatMap(all -> all);
  }

  private static Stream<AmbiguousRequest> lengths() {
    return Stream.of(
        bad("length before coding", "Content-Length: 3\r\n" + CHUNKED),
        bad("coding before length", CHUNKED + "Content-Length: 3\r\n"),
        bad("length of zero and coding", "Content-Length: 0\r\n" + CHUNKED),
        bad("the same length twice", "Content-Length: 3\r\nContent-Length: 3\r\n"),
        bad("two lengths", "Content-Length: 3\r\nContent-Length: 4\r\n"),
        bad("a list of lengths", "Content-Length: 3, 3\r\n"),
        bad("length with a plus", "Content-Length: +3\r\n"),
        bad("negative length", "Content-Length: -3\r\n"),
        bad("length in hexadecimal", "Content-Length: 0x3\r\n"),
        bad("length with a fraction", "Content-Length: 3.0\r\n"),
        bad("length with a space", "Content-Length: 3 3\r\n"),
        bad("empty length", "Content-Length:\r\n"),
        bad("length beyond 64 bits", "Content-Length: 18446744073709551619\r\n"),
        fields("length beyond the largest body", "Content-Length: 1000001\r\n", 413));
  }

  private static Stream<AmbiguousRequest> codings() {
    return Stream.of(
        bad("coding twice", CHUNKED + CHUNKED),
        bad("two codings", "Transfer-Encoding: identity\r\n" + CHUNKED),
        fields("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", 501),
        fields("identity", "Transfer-Encoding: identity\r\n", 501),
        fields("gzip, then chunked", "Transfer-Encoding: gzip, chunked\r\n", 501),
        fields("chunked, then identity", "Transfer-Encoding: chunked, identity\r\n", 501),
        fields("a name that ends with chunked", "Transfer-Encoding: xchunked\r\n", 501),
        fields("chunked in quotes", "Transfer-Encoding: \"chunked\"\r\n", 501),
        fields("empty coding", "Transfer-Encoding:\r\n", 501),
        bad("a vertical tab before chunked", "Transfer-Encoding: \u000bchunked\r\n"),
        new AmbiguousRequest(
            "chunked in HTTP/1.0", "POST PATH HTTP/1.0\r\n" + CHUNKED + "\r\n" + BODY, 400));
  }

  private static Stream<AmbiguousRequest> lines() {
    return Stream.of(
        bad("space before a colon", "Transfer-Encoding : chunked\r\n"),
        bad("tab before a colon", "Content-Length\t: 3\r\n"),
        bad("a continued line", "X-One: a\r\n Transfer-Encoding: chunked\r\n"),
        bad("a coding on a continued line", "Transfer-Encoding:\r\n chunked\r\n"),
        bad("a length continued after a tab", "Content-Length:\r\n\t3\r\n"),
        new AmbiguousRequest(
            "a space before the first field",
            "POST PATH HTTP/1.1\r\n Host: h\r\nHost: h\r\n\r\n",
            400),
        bad("a field without a colon", "Transfer-Encoding chunked\r\n"),
        bad("a field without a name", ": chunked\r\n"),
        bad("a NUL in a value", "X-One: a\u0000b\r\n"),
        bad("a NUL in a name", "Transfer-Encoding\u0000: chunked\r\n"),
        bad("a carriage return within a value", "X-One: a\rTransfer-Encoding: chunked\r\n"),
        bad("a field that ends with a line feed alone", "X-One: a\n" + CHUNKED),
        bad("a field that ends with a carriage return alone", "X-One: a\r" + CHUNKED),
        new AmbiguousRequest(
            "a line that ends with a line feed", "POST PATH HTTP/1.1\nHost: h\n\n", 400),
        new AmbiguousRequest(
            "a head that ends with a line feed", "POST PATH HTTP/1.1\r\nHost: h\r\n\n", 400),
        new AmbiguousRequest("no host", "POST PATH HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 400),
        bad("two hosts", "Host: h\r\n"),
        new AmbiguousRequest(
            "two hosts in HTTP/1.0", "GET PATH HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        new AmbiguousRequest("an empty host", "GET PATH HTTP/1.1\r\nHost:\r\n\r\n", 400),
        new AmbiguousRequest("a host with a path", "GET PATH HTTP/1.1\r\nHost: h/x\r\n\r\n", 400),
        fields("fields of more than 32 KiB", "X-One: " + "x".repeat(40_000) + "\r\n", 431));
  }

  private static Stream<AmbiguousRequest> targets() {
    return Stream.of(
        line("HTTP/0.9", "GET PATH", 400),
        line("two spaces", "GET  PATH HTTP/1.1", 400),
        line("a tab instead of a space", "GET\tPATH HTTP/1.1", 400),
        line("a space in the target", "GET PATH /x HTTP/1.1", 400),
        line("a space at the end", "GET PATH HTTP/1.1 ", 400),
        line("a space at the start", " GET PATH HTTP/1.1", 400),
        line("a method that is no token", "G(T PATH HTTP/1.1", 400),
        line("a version in small letters", "GET PATH http/1.1", 400),
        line("a version of three numbers", "GET PATH HTTP/1.1.1", 400),
        line("HTTP/1.2", "GET PATH HTTP/1.2", 505),
        line("HTTP/2.0", "PRI * HTTP/2.0", 505),
        line("HTTP/3.0", "GET PATH HTTP/3.0", 505),
        line("a relative target", "GET health HTTP/1.1", 400),
        line("an authority", "CONNECT h:443 HTTP/1.1", 400),
        line("an asterisk with GET", "GET * HTTP/1.1", 400),
        line("a user in the target", "GET http://h@i/PATH HTTP/1.1", 400),
        line("no host in the target", "GET http:///PATH HTTP/1.1", 400),
        line("another scheme", "GET ftp://hPATH HTTP/1.1", 400),
        line("a fragment", "GET PATH#x HTTP/1.1", 400),
        line("half a percent escape", "GET PATH%2 HTTP/1.1", 400),
        line("a percent escape without digits", "GET PATH%zz HTTP/1.1", 400),
        line("a control character in the target", "GET PATH\u0001 HTTP/1.1", 400),
        line("a character beyond ASCII in the target", "GET PATH\u00e9 HTTP/1.1", 400),
        line("a line of more than 8 KiB", "GET PATH" + "x".repeat(9_000) + " HTTP/1.1", 414),
        line("two empty lines before the request", "\r\n\r\nGET PATH HTTP/1.1", 400));
  }

  /** Returns requests whose body is ambiguous, which shows when they are already being served. */
  static Stream<AmbiguousRequest> bodies() {
    return Stream.concat(sizes(), ends());
  }

  private static Stream<AmbiguousRequest> sizes() {
    return Stream.of(
        chunks("a size with a plus", "+3\r\nabc\r\n0\r\n\r\n"),
        chunks("a size with a minus", "-3\r\nabc\r\n0\r\n\r\n"),
        chunks("a size with a prefix", "0x3\r\nabc\r\n0\r\n\r\n"),
        chunks("a space before a size", " 3\r\nabc\r\n0\r\n\r\n"),
        chunks("a space after a size", "3 \r\nabc\r\n0\r\n\r\n"),
        chunks("a space within a size", "1 3\r\nabc\r\n0\r\n\r\n"),
        chunks("an underscore within a size", "0_3\r\nabc\r\n0\r\n\r\n"),
        chunks("no size", "\r\nabc\r\n0\r\n\r\n"),
        chunks("an extension without a size", ";x\r\nabc\r\n0\r\n\r\n"),
        chunks("a size in digits of another script", "\u0663\r\nabc\r\n0\r\n\r\n"),
        chunks("a size beyond the largest body", "fffffff\r\nabc\r\n0\r\n\r\n", 413),
        chunks("a size that is 3 in 32 bits", "100000003\r\nabc\r\n0\r\n\r\n", 413),
        chunks("a size that is 3 in 64 bits", "10000000000000003\r\nabc\r\n0\r\n\r\n"),
        chunks("a size of 1,501 digits", "0".repeat(1_500) + "3\r\nabc\r\n0\r\n\r\n"),
        chunks("sizes whose sum is too large", "1\r\na\r\nf4240\r\n", 413));
  }

  private static Stream<AmbiguousRequest> ends() {
    return Stream.of(
        chunks("a size that ends with a line feed", "3\nabc\r\n0\r\n\r\n"),
        chunks("an extension that ends with a line feed", "3;a\nabc\r\n0\r\n\r\n"),
        chunks("an extension with a carriage return", "3;a\rb\r\nabc\r\n0\r\n\r\n"),
        chunks("an extension with a NUL", "3;a\u0000b\r\nabc\r\n0\r\n\r\n"),
        chunks("an extension of 2 KiB", "3;" + "a".repeat(2_048) + "\r\nabc\r\n0\r\n\r\n"),
        chunks(
            "10 KiB of extensions",
            ("1;" + "a".repeat(998) + "\r\na\r\n").repeat(10) + "0\r\n\r\n"),
        chunks("a chunk longer than its size", "3\r\nabcXY0\r\n\r\n"),
        chunks("a chunk that ends with a line feed", "3\r\nabc\n0\r\n\r\n"),
        chunks("a chunk that ends with a carriage return", "3\r\nabc\r0\r\n\r\n"),
        chunks("a last chunk without an empty line", "3\r\nabc\r\n0\r\nXY"),
        chunks("a body that ends with a line feed", "3\r\nabc\r\n0\r\n\n"),
        chunks("a length in the trailers", "3\r\nabc\r\n0\r\nContent-Length: 3\r\n\r\n"),
        chunks("a coding in the trailers", "3\r\nabc\r\n0\r\n" + CHUNKED + "\r\n"),
        chunks("a host in the trailers", "3\r\nabc\r\n0\r\nhOST: i\r\n\r\n"),
        chunks("a request in place of a trailer", "3\r\nabc\r\n0\r\n" + HIDDEN),
        chunks("a continued trailer", "3\r\nabc\r\n0\r\nX-One: a\r\n b\r\n\r\n"),
        chunks("a space before the colon of a trailer", "3\r\nabc\r\n0\r\nX-One : a\r\n\r\n"),
        chunks("10 KiB of trailers", "3\r\nabc\r\n0\r\nX: " + "a".repeat(10_000) + "\r\n\r\n"));
  }
}
