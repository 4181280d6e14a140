package io.strowger.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs a test with the path of each dialect of callers, without and with streaming. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "at {0}, stream {1}")
@CsvSource({
  "/chat/completions, false",
  "/chat/completions, true",
  "/messages, false",
  "/messages, true",
  "/responses, false",
  "/responses, true"
})
@interface AtEveryPathAndStreaming {}
