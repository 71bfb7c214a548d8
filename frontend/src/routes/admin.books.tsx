import { createFileRoute } from '@tanstack/react-router';
import { BooksPage } from '../admin/books/books-page.tsx';

export const Route = createFileRoute('/admin/books')({ component: BooksPage });
