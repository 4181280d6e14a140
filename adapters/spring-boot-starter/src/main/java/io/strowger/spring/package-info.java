/**
 * Makes a gateway part of a Spring Boot application: reads its configuration, collects the beans it
 * is made of, serves its HTTP API and shows its health. Works with Boot 3.5 and 4.
 */
@NullMarked
package io.strowger.spring;

import org.jspecify.annotations.NullMarked;
