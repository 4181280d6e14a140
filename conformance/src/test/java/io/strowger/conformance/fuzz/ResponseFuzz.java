package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/** Fuzzes the transport and the adapters with any bytes as the response of an upstream. */
@DisplayName("The transport, given any bytes as a response,")
class ResponseFuzz {
  private static ResponseTarget target;

  @BeforeAll
  static void start() {
    target = new ResponseTarget();
  }

  @AfterAll
  static void close() {
    target.close();
  }

  @DictionaryEntries({
    "HTTP/1.1 200 OK",
    "HTTP/1.0 ",
    "HTTP/1.1 100 ",
    "HTTP/1.1 204 ",
    "HTTP/1.1 408 ",
    "\\x0D\\x0A",
    "\\x0D\\x0A\\x0D\\x0A",
    "Content-Length: ",
    "Transfer-Encoding: chunked",
    "Connection: close",
    "Connection: keep-alive",
    "Keep-Alive: timeout=",
    "Retry-After: ",
    "Content-Type: text/event-stream",
    "Content-Type: application/json",
    "Content-Encoding: gzip",
    "Trailer: ",
    "data: ",
    "event: ",
    "[DONE]",
    "ffffffff",
    ";a=b"
  })
  @FuzzTest
  @DisplayName("ends the call, releases its resources, and gives the next request its own answer")
  void reads(byte[] response) {
    target.check(response);
  }
}
