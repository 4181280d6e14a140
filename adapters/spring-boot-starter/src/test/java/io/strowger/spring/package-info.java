/** Tests of the Spring Boot starter in running applications. */
@NullMarked
package io.strowger.spring;

import org.jspecify.annotations.NullMarked;
