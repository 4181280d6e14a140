package io.strowger.tck.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rows of {@code docs/conformance.md} that a test proves: if the gateway broke one of
 * them, the test would fail. On a class, it applies to all tests of the class together. {@code
 * ConformanceTest} in the module conformance reads the annotation from the sources; the annotation
 * does not exist at run time.
 */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Proves {
  /**
   * Returns the ids of the rows, such as {@code routing.draw.LB-1}. An id that ends in {@code .*}
   * names all rows of a section; use it only for a test that checks each of them.
   */
  String[] value();
}
