@NullMarked
package io.strowger.providers.images;

import org.jspecify.annotations.NullMarked;
