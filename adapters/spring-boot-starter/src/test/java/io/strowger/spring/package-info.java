@NullMarked
package io.strowger.spring;

import org.jspecify.annotations.NullMarked;
