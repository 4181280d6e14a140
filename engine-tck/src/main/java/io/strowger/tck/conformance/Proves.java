package io.strowger.tck.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rows of {@code docs/conformance.md} that a test proves: were one of them broken, the
 * test would fail. On a class it speaks of all of the class's tests together. Read from the sources
 * by {@code ConformanceTest} of the module conformance; nothing is there at run time.
 */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Proves {
  /**
   * Returns the ids of the rows, such as {@code routing.draw.LB-1}. An id that ends in {@code .*}
   * is all rows of that section: only for a test that looks at each of them.
   */
  String[] value();
}
